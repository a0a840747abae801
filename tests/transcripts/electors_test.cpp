#include <memory>

#include <doctest/doctest.h>

#include "support/elector_dialogue.hpp"
#include "support/transcript.hpp"

using namespace tenure::support;

namespace {

Respondent dialogue() {
  return [talk = std::make_shared<ElectorDialogue>()](const Command& command) {
    return talk->answer(command);
  };
}

}  // namespace

TEST_CASE("client-go's elector keeps to its transcripts") {
  run_transcripts("tests/transcripts/client_go", dialogue);
}

TEST_CASE("the naive loop keeps to its transcripts") {
  run_transcripts("tests/transcripts/naive_loop", dialogue);
}
