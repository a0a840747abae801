// Results as pages and charts, for every command that writes them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <tenure/report/writer.hpp>
#include <tenure/run/result.hpp>
#include <tenure/run/sweep.hpp>

#include "app.hpp"

namespace tenure::cli {

// `--chart`: which one `-w svg` writes; the first of `charts` unless one is named.
void add_chart_flag(CLI::App& verb,
                    Session& session,
                    std::initializer_list<std::string_view> charts);

// The runs that are worth a look are made again for it.
void write_page(const run::RunResult& result, const report::TextSink& sink);
void write_chart(const run::RunResult& result,
                 std::string_view chart,
                 const report::TextSink& sink);

void write_page(const run::SweepResult& result, const report::TextSink& sink);

// False: a sweep like this one has no such chart, which was printed.
bool write_chart(const run::SweepResult& result,
                 std::string_view chart,
                 const report::TextSink& sink);

}  // namespace tenure::cli
