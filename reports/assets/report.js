(function () {
  'use strict';
  // A link into something folded opens it.
  function open() {
    var at = location.hash && document.getElementById(location.hash.slice(1));
    for (var e = at; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (at) at.scrollIntoView();
  }
  addEventListener('hashchange', open);
  open();

  // Tables are sorted by a click on a column's name.
  function value(row, column) {
    var cell = row.cells[column], text = cell ? cell.textContent.trim() : '';
    var number = parseFloat(text.replace('#', ''));
    return isNaN(number) ? text : number;
  }
  function sort(table, column, up) {
    var body = table.tBodies[0];
    Array.from(body.rows).map(function (row, i) { return [value(row, column), i, row]; })
      .sort(function (a, b) {
        var less = typeof a[0] === typeof b[0] ? (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)
          : typeof a[0] === 'number' ? -1 : 1;
        return (up ? less : -less) || a[1] - b[1];
      }).forEach(function (entry) { body.appendChild(entry[2]); });
  }
  document.querySelectorAll('table.sort').forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.textContent = '';
      head.appendChild(button);
      button.addEventListener('click', function () {
        var up = head.getAttribute('aria-sort') !== 'ascending';
        Array.from(table.tHead.rows[0].cells).forEach(function (c) { c.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        sort(table, column, up);
      });
    });
  });

  // Timelines are made wider and narrower within their frame.
  document.querySelectorAll('figure.wide').forEach(function (figure) {
    var svg = figure.querySelector('svg'), name = figure.querySelector('figcaption');
    if (!svg || !name) return;
    var factor = 1, tools = document.createElement('span');
    tools.className = 'tools';
    [['+', 'wider', 1.5], ['\u2212', 'narrower', 1 / 1.5]].forEach(function (kind) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = kind[0];
      button.setAttribute('aria-label', kind[1] + ': ' + name.textContent);
      button.addEventListener('click', function () {
        factor = Math.min(16, Math.max(1, factor * kind[2]));
        svg.style.maxWidth = svg.style.width = factor === 1 ? '' : Math.round(980 * factor) + 'px';
      });
      tools.appendChild(button);
    });
    figure.insertBefore(tools, name.nextSibling);
  });
})();
