package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
)

const (
	nanosecond  = int64(1)
	millisecond = 1_000_000 * nanosecond
	second      = 1000 * millisecond
	never       = int64(-1)
)

// generator draws scripts. It is biased towards what is hard: late answers, outcomes that change
// inside one attempt, cancellation during every kind of request, durations at the edges.
type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

// between is in [low, high], to the nanosecond, so that two things hardly ever happen at once.
func (g generator) between(low, high int64) int64 { return low + g.Int64N(high-low+1) }

func (g generator) timing() (l, d, r int64) {
	switch g.IntN(10) {
	case 0, 1, 2:
		return 15 * second, 10 * second, 2 * second
	case 3:
		return 60 * second, 40 * second, 5 * second
	case 4: // as near as the validation lets them be
		r = g.between(300*millisecond, 3*second)
		d = r*6/5 + 1
		return d + 1 + g.between(0, second), d, r
	case 5: // several renewals within one second of the wall clock
		r = g.between(120*millisecond, 700*millisecond)
		d = r*2 + g.between(0, 2*second)
		return d + g.between(1, 2*second), d, r
	case 6: // a part of a second that is cut off; below one second nothing can be written
		d = g.between(700*millisecond, 4*second)
		return d + g.between(1, 1500*millisecond), d, g.between(d/8, d/2)
	case 7: // the margin L - D - R is negative
		return 15 * second, 14 * second, 2 * second
	case 8: // ticks and deadline coincide
		r = g.between(1, 4) * second
		return r * 7, r * g.between(2, 6), r
	}
	d = g.between(2*second, 20*second)
	return d + g.between(second, 10*second), d, g.between(d/10, d/2)
}

// latency is one way, mostly far below r and sometimes far above.
func (g generator) latency(r int64) int64 {
	switch g.IntN(12) {
	case 0:
		return g.between(r/2, 2*r)
	case 1:
		return g.between(r, 6*r)
	case 2:
		return 0
	case 3, 4:
		return g.between(1, r/2)
	}
	return g.between(1, 40*millisecond)
}

func (g generator) fate(r int64, trouble int) Fate {
	f := Fate{Out: g.latency(r), Back: g.latency(r)}
	if !g.chance(trouble) {
		return f
	}
	fates := []string{status, status, status, status, status, refused, reset, hang, lost, broken}
	f.Do = fates[g.IntN(len(fates))]
	if f.Do == status {
		codes := []int{403, 404, 409, 422, 429, 429, 500, 503, 504}
		f.Code = codes[g.IntN(len(codes))]
		if (f.Code == 429 || f.Code >= 500) && g.chance(55) {
			f.After = []int{-1, 1, 1, 2, 3, 5}[g.IntN(6)]
		}
	}
	return f
}

func (g generator) elector(id string, l, d, r int64) Elector {
	e := Elector{ID: id, Start: g.between(0, 2*second), Cancel: never, Crash: never, LeaseDuration: l,
		RenewDeadline: d, RetryPeriod: r, Release: g.chance(50), HealthTimeout: g.between(0, 20*second)}
	switch g.IntN(4) {
	case 0:
		e.Timeout = max(second, d/2)
	case 1:
		e.Timeout = g.between(300*millisecond, d+second)
	}
	// The default limit (5 requests a second) has a say only where requests are frequent; then it is
	// made explicit, and the recording says when it was asked.
	e.QPS, e.Burst = -1, 0
	if g.chance(20) {
		e.QPS, e.Burst = 5, 10
		if g.chance(50) {
			e.QPS, e.Burst = float32(g.between(1, 40))/10, int(g.between(1, 3))
		}
	}
	trouble := []int{0, 10, 30, 60, 90}[g.IntN(5)]
	for i := g.IntN(40); i > 0; i-- {
		e.Requests = append(e.Requests, g.fate(r, trouble))
	}
	e.Then = Fate{Out: g.between(1, 20*millisecond), Back: g.between(1, 20*millisecond)}
	if g.chance(25) {
		e.Then = g.fate(r, 100)
	}
	return e
}

func (g generator) spec(l int64) *Spec {
	holder := []string{"", "a", "b", "somebody"}[g.IntN(4)]
	s := &Spec{Holder: &holder}
	if g.chance(10) {
		return &Spec{} // every field absent
	}
	duration := int32(max(1, g.between(1, 2*l/second+1)))
	transitions := int32(g.between(0, 9))
	at := int64(946684800)*1_000_000 + g.between(-20_000_000, 20_000_000)
	s.Duration, s.Transitions, s.Acquire, s.Renew = &duration, &transitions, at, at
	if g.chance(15) {
		s.Strategy = "OldestEmulationVersion"
		if g.chance(50) {
			s.Preferred = "b"
		}
	}
	return s
}

func (g generator) foreign(l, end int64) Foreign {
	f := Foreign{At: g.between(0, end)}
	switch g.IntN(6) {
	case 0:
		f.Do, f.Spec = foreignSet, g.spec(l)
	case 1:
		f.Do = foreignDelete
	case 2:
		f.Do = foreignClear
	case 3:
		f.Do, f.Holder = foreignPrefer, "b"
	case 4:
		f.Do = foreignTouch
	case 5:
		f.Do, f.Holder = foreignAssign, []string{"a", "b", "somebody"}[g.IntN(3)]
	}
	return f
}

// script with one to three electors of one configuration, or of two.
func (g generator) script(name string) Script {
	l, d, r := g.timing()
	s := Script{Name: name, End: g.between(3*d, 6*l+10*r)}
	if s.End > 400*second {
		s.End = 400 * second
	}
	electors := []int{1, 1, 2, 2, 3}[g.IntN(5)]
	coordinated := g.chance(8)
	for i := range electors {
		id := string(rune('a' + i))
		if i > 0 && g.chance(5) {
			id = "a"
		}
		e := g.elector(id, l, d, r)
		e.Coordinated = coordinated
		if g.chance(15) {
			e.LeaseDuration, e.RenewDeadline, e.RetryPeriod = g.timing()
		}
		if g.chance(45) {
			e.Cancel = g.between(e.Start, s.End)
		}
		if g.chance(20) {
			e.Crash = g.between(e.Start, s.End)
		}
		s.Electors = append(s.Electors, e)
	}
	if g.chance(40) {
		s.Lease = g.spec(l)
	}
	writes := 0
	if g.chance(40) || coordinated {
		writes = 1 + g.IntN(4)
	}
	for range writes {
		s.Foreign = append(s.Foreign, g.foreign(l, s.End))
	}
	if coordinated {
		for at := g.between(0, 3*second); at < s.End; at += g.between(2*second, 20*second) {
			s.Foreign = append(s.Foreign, Foreign{At: at, Do: foreignAssign, Holder: "a"})
		}
	}
	for range g.IntN(6) {
		s.Checks = append(s.Checks, g.between(0, s.End))
	}
	return s
}

func generateAll(out io.Writer, seed uint64, count int) error {
	encoder := json.NewEncoder(out)
	for i := range count {
		// Each script has its own source, so that one can be made again without those before it.
		g := generator{rand.New(rand.NewPCG(seed, uint64(i)))}
		if err := encoder.Encode(g.script(fmt.Sprintf("random-%d-%d", seed, i))); err != nil {
			return err
		}
	}
	return nil
}
