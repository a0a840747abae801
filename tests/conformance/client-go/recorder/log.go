package main

import (
	"sync"
	"time"
)

// Line is one observable. Exactly one of the kinds below; the fields that it does not use are absent.
type Line struct {
	T      int64  `json:"t"` // nanoseconds since the start of the script
	E      int    `json:"e"` // which elector
	K      string `json:"k"`
	N      int    `json:"n,omitempty"`      // request, reply: the request's number on the wire, from 1
	Verb   string `json:"verb,omitempty"`   // request
	Lease  *Lease `json:"lease,omitempty"`  // request: the body; reply: the object
	Code   int    `json:"code,omitempty"`   // reply: HTTP status
	Reason string `json:"reason,omitempty"` // reply: metav1.Status.Reason
	After  string `json:"after,omitempty"`  // reply: the Retry-After header
	Err    string `json:"err,omitempty"`    // reply: what the transport said instead
	Leader string `json:"leader,omitempty"` // new: whom; sees: GetLeader()
	Is     bool   `json:"is,omitempty"`     // sees: IsLeader(); health: healthy
}

// The kinds of a line.
const (
	kindThrottle = "throttle" // the rate limiter is asked
	kindRequest  = "request"
	kindReply    = "reply"
	kindStart    = "start" // OnStartedLeading
	kindDone     = "done"  // its context is cancelled
	kindStop     = "stop"  // OnStoppedLeading
	kindNew      = "new"   // OnNewLeader
	kindEnd      = "end"   // Run returned
	kindSees     = "sees"  // IsLeader and GetLeader when nothing more happens at this instant
	kindHealth   = "health"
)

// Lease is the object on the wire, as far as electors can tell.
type Lease struct {
	UID     string `json:"uid,omitempty"`
	Version string `json:"rv,omitempty"`
	Spec
}

// Log collects the lines of one script.
type Log struct {
	mu    sync.Mutex
	zero  time.Time
	lines []Line
	woken chan struct{} // tells the sampler that something happened
}

func newLog() *Log {
	return &Log{zero: time.Now(), woken: make(chan struct{}, 1)}
}

func (l *Log) now() int64 { return time.Since(l.zero).Nanoseconds() }

func (l *Log) add(line Line) {
	line.T = l.now()
	l.mu.Lock()
	l.lines = append(l.lines, line)
	l.mu.Unlock()
	l.wake()
}

func (l *Log) wake() {
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

// settled is the log without what was sampled in the middle of an instant, and without samples that
// say what the one before said.
func (l *Log) settled(electors int) []Line {
	last := make(map[[2]int64]int)
	for i, line := range l.lines {
		if line.K == kindSees {
			last[[2]int64{line.T, int64(line.E)}] = i
		}
	}
	seen := make([]Line, electors)
	var kept []Line
	for i, line := range l.lines {
		if line.K == kindSees {
			before := seen[line.E]
			if last[[2]int64{line.T, int64(line.E)}] != i || (before.Is == line.Is && before.Leader == line.Leader) {
				continue
			}
			seen[line.E] = line
		}
		kept = append(kept, line)
	}
	return kept
}
