package main

import (
	"encoding/json"
	"io"
)

// The rows of client-go's own tests (tools/leaderelection/*_test.go), and what those leave out, as
// scripts. A test that sets the elector's memory by hand is told here as the story that leads there.

func ptr[T any](v T) *T { return &v }

const epochMicros = int64(946_684_800) * 1_000_000

// held is a Lease that somebody holds since the start.
func held(holder string, seconds, transitions int32) *Spec {
	return &Spec{Holder: &holder, Duration: &seconds, Transitions: &transitions, Acquire: epochMicros, Renew: epochMicros}
}

// ms is an answer from the store after so many milliseconds.
func ms(n int64) Fate { return Fate{Out: n * millisecond / 2, Back: n * millisecond / 2} }

func (f Fate) becomes(do string) Fate { f.Do = do; return f }

func (f Fate) code(code int) Fate { f.Do, f.Code = status, code; return f }

// elector with the configuration of most of those tests, and answers after 10 ms.
func elector(id string, l, d, r int64) Elector {
	return Elector{ID: id, Cancel: never, Crash: never, LeaseDuration: l * second, RenewDeadline: d * second,
		RetryPeriod: r * second, QPS: -1, Then: ms(10)}
}

func baz() Elector { return elector("baz", 10, 5, 2) }

func (e Elector) requests(fates ...Fate) Elector { e.Requests = fates; return e }
func (e Elector) then(f Fate) Elector            { e.Then = f; return e }
func (e Elector) releases() Elector              { e.Release = true; return e }
func (e Elector) coordinated() Elector           { e.Coordinated = true; return e }
func (e Elector) cancelledAt(at int64) Elector   { e.Cancel = at; return e }
func (e Elector) crashesAt(at int64) Elector     { e.Crash = at; return e }
func (e Elector) startedAt(at int64) Elector     { e.Start = at; return e }
func (e Elector) timeout(t int64) Elector        { e.Timeout = t; return e }
func (e Elector) healthTimeout(t int64) Elector  { e.HealthTimeout = t; return e }

// brief renews five times a second.
func brief(id string) Elector {
	e := elector(id, 2, 1, 1)
	e.RetryPeriod = 200 * millisecond
	return e
}

func one(name string, lease *Spec, e Elector, foreign ...Foreign) Script {
	return Script{Name: name, End: 40 * second, Lease: lease, Electors: []Elector{e}, Foreign: foreign}
}

func attempts() []Script {
	hold := func(at int64) Foreign { return Foreign{At: at, Do: foreignSet, Spec: held("bing", 10, 0)} }
	return []Script{
		one("attempt/1-no-lease", nil, baz()),
		one("attempt/2-empty-spec", &Spec{}, baz()),
		one("attempt/3-the-record's-seconds-count", held("bing", 3, 0), baz()),
		one("attempt/4-every-field-zero", &Spec{Holder: ptr(""), Duration: ptr(int32(0)), Transitions: ptr(int32(0))}, baz()),
		one("attempt/5-expired-long-ago", held("bing", 0, 0), baz()),
		one("attempt/6-empty-holder-beats-a-valid-lease", held("bing", 30, 0), baz(), Foreign{At: 5 * second, Do: foreignClear}),
		one("attempt/7-new-record-of-duration-0-is-held-once", held("bing", 0, 0), baz().requests(ms(2))),
		one("attempt/7-the-same-without-latency", held("bing", 0, 0), baz().requests(ms(0), ms(0))),
		one("attempt/8-its-own-lease-of-duration-0", held("baz", 0, 0), baz()),
		one("lock/create-twice", nil, baz().requests(ms(10), ms(2000)), hold(500*millisecond)),
		one("lock/create-fails-and-the-cache-is-lost", nil, baz().requests(ms(10), ms(10), ms(10), ms(10).code(409),
			ms(10).code(404), ms(10).code(500), ms(10), ms(10), ms(10)).releases().cancelledAt(20*second)),
		one("lock/create-aborted-by-cancel", held("baz", 10, 3), baz().requests(ms(10), ms(10), ms(10).code(409),
			ms(10).code(404), ms(3000)).releases().cancelledAt(1500*millisecond)),
	}
}

func coordinated() []Script {
	bing := func(s *Spec) *Spec { s.Strategy = "OldestEmulationVersion"; return s }
	prefer := Foreign{At: 6*second + 1, Do: foreignPrefer, Holder: "bing"}
	return []Script{
		one("coordinated/1-held-by-another", bing(held("bing", 10, 0)), baz().coordinated()),
		one("coordinated/2-its-own", bing(held("baz", 10, 4)), baz().coordinated()),
		one("coordinated/no-lease-is-never-created", nil, baz().coordinated()),
		one("coordinated/its-own-expired", bing(held("baz", 1, 4)), baz().coordinated().requests(ms(10), ms(3000))),
		one("coordinated/end-of-term", bing(held("baz", 10, 4)), baz().coordinated(), prefer),
		one("coordinated/released", bing(held("baz", 10, 4)), baz().coordinated().releases().cancelledAt(9*second), prefer),
		one("coordinated/assigned-later", nil, baz().coordinated(), Foreign{At: 3 * second, Do: foreignAssign, Holder: "baz"}),
	}
}

func releases() []Script {
	short := func() Elector { return elector("baz", 15, 2, 1).releases() }
	cancelled := ms(10).becomes(hang)
	replaced := Foreign{At: 900 * millisecond, Do: foreignSet, Spec: held("bing", 15, 1)}
	return []Script{
		one("release/held-by-itself", held("baz", 10, 0), baz().releases().cancelledAt(3*second)),
		one("release/retries-on-conflict", nil, elector("baz", 15, 5, 1).releases().cancelledAt(1500*millisecond).requests(
			ms(10), ms(10), ms(10), ms(10), ms(10), ms(10).code(409), ms(10), ms(10).code(409), ms(10), ms(10))),
		one("release/conflict-of-the-update-itself", nil, elector("baz", 15, 5, 1).releases().cancelledAt(1500*millisecond).requests(
			ms(10), ms(10), ms(10), ms(10), ms(10).code(409), ms(10), ms(10))),
		one("release/on-cancel-during-update-4", nil, short().requests(ms(10), ms(10), cancelled, ms(10), cancelled, ms(1000)).
			timeout(300*millisecond).cancelledAt(2*second)),
		one("release/on-cancel-during-get-4", nil, short().requests(ms(10), ms(10), ms(10).code(500), ms(10), ms(10), ms(10).code(500),
			ms(10).becomes(hang), ms(10).becomes(hang)).cancelledAt(2*second)),
		one("release/get-fails", nil, short().requests(ms(10), ms(10), ms(10), ms(10).code(500)).cancelledAt(600*millisecond)),
		one("release/lease-is-gone", nil, short().requests(ms(10), ms(10), ms(10)).cancelledAt(900*millisecond+1),
			Foreign{At: 900 * millisecond, Do: foreignDelete}),
		one("release/after-a-failed-renewal", nil, short().requests(ms(10), ms(10), ms(10)).then(ms(10).becomes(refused))),
		one("release/of-the-successor's-lease", nil, short().requests(ms(10), ms(10), ms(10)).cancelledAt(950*millisecond), replaced),
		one("release/while-releasing-cancelled", nil, short().requests(ms(10), ms(10), ms(10)).then(ms(10).becomes(hang)).cancelledAt(4*second)),
		one("release/never-led", held("bing", 30, 0), short().cancelledAt(4*second)),
	}
}

func renewals() []Script {
	isolated := func(name string, e Elector) Script { return one("isolation/"+name, nil, e) }
	led := func() Elector { return elector("baz", 4, 2, 1).requests(ms(10), ms(10), ms(10), ms(10)) }
	replaced := Foreign{At: 1500 * millisecond, Do: foreignSet, Spec: held("bing", 15, 1)}
	tight := elector("a", 2, 1, 1)
	tight.RenewDeadline, tight.RetryPeriod = 1900*millisecond, 900*millisecond
	eager := elector("b", 2, 1, 1)
	eager.RetryPeriod = 100 * millisecond
	return []Script{
		one("fast-path/all-well", nil, elector("baz", 15, 2, 1).cancelledAt(1100*millisecond).requests(ms(10), ms(10), ms(10), ms(200))),
		one("fast-path/conflict", nil, elector("baz", 15, 2, 1).cancelledAt(1100*millisecond).requests(ms(10), ms(10), ms(10), ms(10).code(409), ms(10), ms(10), ms(200))),
		isolated("refused", led().then(ms(2).becomes(refused))),
		isolated("hanging", led().then(ms(2).becomes(hang))),
		isolated("hanging-with-client-timeout", led().then(ms(2).becomes(hang)).timeout(second)),
		isolated("refused-with-release", led().then(ms(2).becomes(refused)).releases()),
		isolated("hanging-with-release", led().then(ms(2).becomes(hang)).releases()),
		one("replaced/another-holder-is-seen-and-leading-goes-on", nil, elector("baz", 4, 2, 1), replaced),
		one("replaced/and-cancelled-before-the-next-renewal", nil, elector("baz", 4, 2, 1).releases().cancelledAt(1600*millisecond), replaced),
		one("deleted/under-a-leader-with-transitions-7", held("baz", 10, 7), baz(), Foreign{At: 3 * second, Do: foreignDelete}),
		one("deleted/seen-after-the-lease-has-expired", held("baz", 2, 7), elector("baz", 3, 2, 1).
			requests(ms(10), ms(10)).then(ms(10)), Foreign{At: 300 * millisecond, Do: foreignDelete}),
		one("cleared/and-taken-back", held("baz", 10, 7), baz(), Foreign{At: 3 * second, Do: foreignClear}),
		one("lost-reply/of-the-create", nil, baz().requests(ms(10), ms(10).becomes(lost)).timeout(second)),
		one("lost-reply/of-a-renewal", nil, baz().requests(ms(10), ms(10), ms(10), ms(10).becomes(lost)).timeout(second)),
		{Name: "two/same-identity", End: 20 * second, Electors: []Elector{baz(), baz().startedAt(3*second + 5)}},
		{Name: "two/one-after-the-other's-release", End: 40 * second,
			Electors: []Elector{baz().releases().cancelledAt(7 * second), elector("b", 10, 5, 2).startedAt(second)}},
		{Name: "two/margin-is-negative", End: 20 * second, Electors: []Elector{
			tight.requests(ms(10), ms(10), ms(10), ms(10), ms(10), ms(10)).then(ms(2).becomes(refused)), eager.startedAt(second + 7)}},
		{Name: "two/renewals-within-a-second-look-the-same", End: 20 * second, Electors: []Elector{
			brief("a").crashesAt(5950 * millisecond), brief("b").startedAt(second + 7)}},
		{Name: "two/the-same-later-in-the-second", End: 20 * second, Electors: []Elector{
			brief("a").crashesAt(6500 * millisecond), brief("b").startedAt(second + 7)}},
		{Name: "three/waits", End: 600 * second, Electors: []Elector{elector("a", 15, 10, 2), elector("b", 15, 10, 2).startedAt(second + 3),
			elector("c", 15, 10, 2).startedAt(second + 900_000_003)}},
	}
}

func clients() []Script {
	asks := func(code, after int) Fate { f := ms(10).code(code); f.After = after; return f }
	var eleven []Fate
	for range 12 {
		eleven = append(eleven, asks(503, -1))
	}
	slow := baz()
	slow.QPS, slow.Burst = 0.5, 1
	return []Script{
		one("client/retry-after-is-heeded", nil, baz().requests(asks(429, 1), asks(503, 2), ms(10))),
		one("client/retry-after-eleven-times", nil, baz().requests(eleven...)),
		one("client/retry-after-beyond-the-timeout", nil, baz().requests(asks(429, 3)).timeout(2*second)),
		one("client/retry-after-beyond-the-deadline", nil, baz().requests(ms(10), ms(10), ms(10), asks(429, 9))),
		one("client/a-broken-read-is-tried-again", nil, baz().requests(ms(10).becomes(reset), ms(10).becomes(broken), ms(10))),
		one("client/a-broken-write-is-not", nil, baz().requests(ms(10), ms(10).becomes(broken))),
		one("client/no-tokens", nil, slow),
		one("client/cancelled-while-it-waits-for-a-token", nil, slow.releases().cancelledAt(3*second)),
		one("client/deadline-while-it-waits-for-a-token", nil, func() Elector { e := slow.releases(); e.QPS = 0.21; return e }()),
		one("client/a-token-after-the-deadline", nil, func() Elector { e := slow; e.QPS = 0.15; return e }()),
	}
}

// health is asked at, and just after, the instant at which patience ends.
func health() []Script {
	const learnt = 20 * millisecond // GET and CREATE
	check := func(name string, e Elector, after ...int64) Script {
		s := one("health/"+name, nil, e)
		s.End = 4000 * second
		for _, at := range after {
			s.Checks = append(s.Checks, learnt+at)
		}
		return s
	}
	self := elector("baz", 60, 40, 5).healthTimeout(20*second).requests(ms(10), ms(10)).then(ms(2).becomes(hang))
	other := check("of-a-follower", self, 3600*second)
	other.Lease = held("bing", 60, 0)
	other.Electors[0].Requests = []Fate{ms(20)}
	return []Script{other, check("of-a-leader", self, 0, 61*second, 80*second, 80*second+1, 3600*second)}
}

func byHand(out io.Writer) error {
	encoder := json.NewEncoder(out)
	for _, scripts := range [][]Script{attempts(), coordinated(), releases(), renewals(), clients(), health()} {
		for _, script := range scripts {
			if err := encoder.Encode(script); err != nil {
				return err
			}
		}
	}
	return nil
}
