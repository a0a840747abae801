package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Samples of whole elections: three candidates at 15/10/2 that start within two seconds, 4 ms there
// and back, and a fault at a random instant of the second minute. Our runs have the same model.

// Samples is one file of them, in nanoseconds since the fault began; -1 is "not until the end".
type Samples struct {
	Header
	What   string  `json:"what"`
	Next   []int64 `json:"next"`   // until somebody else leads
	Stop   []int64 `json:"stop"`   // until the old leader's context ends
	Finish int64   `json:"finish"` // when an experiment ended
}

const (
	candidates = 3
	finish     = 300 * second
)

// experiment is one election with a fault.
type experiment struct {
	what      string
	log       *Log
	server    *server
	processes []*process
}

func newExperiment(g generator, what string) *experiment {
	x := &experiment{what: what, log: newLog(), server: &server{version: 1}}
	for i := range candidates {
		e := elector(string(rune('a'+i)), 15, 10, 2)
		e.Timeout, e.QPS, e.Then = 5*second, 0, ms(4)
		e.Start, e.Release = g.between(0, 2*second), what == "isolation-release"
		p := &process{number: i, script: &e, log: x.log}
		p.wire = &wire{number: i, script: &e, server: x.server, log: x.log, dead: make(chan struct{})}
		x.processes = append(x.processes, p)
	}
	return x
}

func (x *experiment) leader() *process {
	holder := x.server.stored.Spec.HolderIdentity
	for _, p := range x.processes {
		if holder != nil && p.script.ID == *holder {
			return p
		}
	}
	panic("nobody leads")
}

// fault happens to the leader or to the server, and ends by itself if it ends.
func (x *experiment) fault(leader *process) {
	switch x.what {
	case "crash":
		leader.crash()
	case "isolation", "isolation-release":
		leader.wire.cut.Store(true)
	case "outage":
		x.server.out.Store(true)
		pause(20 * second)
		x.server.out.Store(false)
	default:
		panic("unknown fault " + x.what)
	}
}

// since is when `kind` first happened after the fault, to somebody of whom `is` holds.
func (x *experiment) since(fault int64, kind string, is func(elector int) bool) int64 {
	for _, line := range x.log.lines {
		if line.K == kind && line.T >= fault && is(line.E) {
			return line.T - fault
		}
	}
	return -1
}

func (x *experiment) run(g generator) (next, stop int64) {
	at := g.between(60*second, 120*second)
	for _, p := range x.processes {
		go func() {
			pause(p.script.Start)
			p.start()
		}()
	}
	pause(at)
	leader := x.leader()
	x.fault(leader)
	pause(finish - x.log.now())
	x.log.mu.Lock()
	next = x.since(at, kindStart, func(e int) bool { return e != leader.number })
	stop = x.since(at, kindDone, func(e int) bool { return e == leader.number })
	x.log.mu.Unlock()
	for _, p := range x.processes {
		p.crash()
	}
	time.Sleep(24 * time.Hour)
	return next, stop
}

func play(t *testing.T, g generator, what string) (next, stop int64) {
	synctest.Test(t, func(*testing.T) { next, stop = newExperiment(g, what).run(g) })
	return next, stop
}

func sampleAll(t *testing.T, out io.Writer, what string, seed uint64, count int) error {
	samples := Samples{Header: header(), What: what, Finish: finish}
	for i := range count {
		next, stop := play(t, generator{rand.New(rand.NewPCG(seed, uint64(i)))}, what)
		samples.Next = append(samples.Next, next)
		samples.Stop = append(samples.Stop, stop)
	}
	return json.NewEncoder(out).Encode(samples)
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

// measureSpeed prints how many of these experiments, of five minutes each, a CPU second makes.
func measureSpeed(t *testing.T, out io.Writer, count int) error {
	before := cpuSeconds()
	var sum int64
	for i := range count {
		next, _ := play(t, generator{rand.New(rand.NewPCG(1, uint64(i)))}, "crash")
		sum += next
	}
	spent := cpuSeconds() - before
	row := func(name, unit string, value float64) error {
		_, err := fmt.Fprintf(out, "{\"name\":%q,\"unit\":%q,\"value\":%.6g}\n", name, unit, value)
		return err
	}
	if err := row("client-go-five-minute-runs", "1/cpu-s", float64(count)/spent); err != nil {
		return err
	}
	return row("client-go-failover", "s", float64(sum)/float64(count)/float64(second))
}
