package main

import (
	"context"
	"reflect"
	"sort"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/flowcontrol"
)

const (
	leaseName      = "lease"
	leaseNamespace = "default"
)

// process is one running elector.
type process struct {
	number int
	script *Elector
	log    *Log
	wire   *wire
	run    context.Context
	cancel context.CancelFunc

	elector *leaderelection.LeaderElector
}

// limiter is client-go's own rate limiter, and writes down when it was asked: a wait for a token
// would else hide how long the elector itself had waited.
type limiter struct {
	flowcontrol.RateLimiter
	process *process
}

func (l limiter) Wait(ctx context.Context) error {
	if ctx.Err() == nil {
		l.process.add(Line{K: kindThrottle})
	}
	return l.RateLimiter.Wait(ctx)
}

// add drops what a crashed process does: its goroutines run on here, those of a real one would not.
func (p *process) add(line Line) {
	if p.wire.isDead() {
		return
	}
	line.E = p.number
	p.log.add(line)
}

func (p *process) client() coordinationv1.LeasesGetter {
	config := &rest.Config{Host: "http://api", Transport: p.wire, Timeout: time.Duration(p.script.Timeout),
		QPS: p.script.QPS, Burst: p.script.Burst}
	if p.script.QPS > 0 {
		config.RateLimiter = limiter{flowcontrol.NewTokenBucketRateLimiter(p.script.QPS, p.script.Burst), p}
	}
	return coordinationv1.NewForConfigOrDie(config)
}

func (p *process) config() leaderelection.LeaderElectionConfig {
	config := leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: leaseNamespace, Name: leaseName},
			Client:     p.client(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: p.script.ID},
		},
		LeaseDuration:   time.Duration(p.script.LeaseDuration),
		RenewDeadline:   time.Duration(p.script.RenewDeadline),
		RetryPeriod:     time.Duration(p.script.RetryPeriod),
		ReleaseOnCancel: p.script.Release,
		Name:            leaseName,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				p.add(Line{K: kindStart})
				<-ctx.Done()
				p.add(Line{K: kindDone})
			},
			OnStoppedLeading: func() { p.add(Line{K: kindStop}) },
			OnNewLeader:      func(leader string) { p.add(Line{K: kindNew, Leader: leader}) },
		},
	}
	if p.script.Coordinated {
		// What the version does not have is taken out of the script, which is written down as played.
		p.script.Coordinated = setCoordinated(&config)
	}
	return config
}

// setCoordinated is false in versions before the field.
func setCoordinated(config *leaderelection.LeaderElectionConfig) bool {
	field := reflect.ValueOf(config).Elem().FieldByName("Coordinated")
	if !field.IsValid() {
		return false
	}
	field.SetBool(true)
	return true
}

func (p *process) start() {
	elector, err := leaderelection.NewLeaderElector(p.config())
	if err != nil {
		panic(err)
	}
	p.elector = elector
	p.run, p.cancel = context.WithCancel(context.Background())
	go func() {
		elector.Run(p.run)
		p.add(Line{K: kindEnd})
	}()
}

func (p *process) crash() {
	if p.wire.isDead() {
		return
	}
	close(p.wire.dead)
	if p.cancel != nil {
		p.cancel()
	}
}

func (p *process) sample() {
	if p.elector != nil {
		p.add(Line{K: kindSees, Leader: p.elector.GetLeader(), Is: p.elector.IsLeader()})
	}
}

func (p *process) checkHealth() {
	if p.elector == nil {
		return
	}
	p.add(Line{K: kindHealth, Is: p.elector.Check(time.Duration(p.script.HealthTimeout)) == nil})
}

// sampleAlways looks at the electors whenever an instant has nothing more to happen.
func sampleAlways(log *Log, processes []*process, checks <-chan struct{}, over <-chan struct{}) {
	for {
		check := false
		select {
		case <-over:
			return
		case <-log.woken:
		case <-checks:
			check = true
		}
		synctest.Wait()
		for _, p := range processes {
			p.sample()
			if check {
				p.checkHealth()
			}
		}
		// What the samples woke is their own echo.
		select {
		case <-log.woken:
		default:
		}
	}
}

// moment is something the script does at an instant.
type moment struct {
	at int64
	do func()
}

func moments(script *Script, server *server, processes []*process, checks chan<- struct{}) []moment {
	var all []moment
	add := func(at int64, do func()) {
		if at >= 0 && at < script.End {
			all = append(all, moment{at, do})
		}
	}
	for _, p := range processes {
		add(p.script.Start, p.start)
		add(p.script.Cancel, func() {
			if p.cancel != nil {
				p.cancel()
			}
		})
		add(p.script.Crash, p.crash)
	}
	for _, f := range script.Foreign {
		add(f.At, func() { server.foreign(f, time.Now()) })
	}
	for _, at := range script.Checks {
		add(at, func() { checks <- struct{}{} })
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at < all[j].at })
	return all
}

// record plays a script and returns what was seen.
func record(t *testing.T, script *Script) []Line {
	var lines []Line
	synctest.Test(t, func(*testing.T) {
		log := newLog()
		server := &server{version: 1}
		if script.Lease != nil {
			server.foreign(Foreign{Do: foreignSet, Spec: script.Lease}, time.Now())
		}
		processes := make([]*process, len(script.Electors))
		for i := range script.Electors {
			e := &script.Electors[i]
			processes[i] = &process{number: i, script: e, log: log}
			processes[i].wire = &wire{number: i, script: e, server: server, log: log, dead: make(chan struct{})}
		}
		checks, over := make(chan struct{}), make(chan struct{})
		go sampleAlways(log, processes, checks, over)
		for _, m := range moments(script, server, processes, checks) {
			pause(m.at - log.now())
			m.do()
		}
		pause(script.End - log.now())
		for _, p := range processes {
			p.crash()
		}
		close(over)
		// The bubble wants every goroutine to end: what is still on its way arrives, unseen.
		time.Sleep(24 * time.Hour)
		lines = log.settled(len(processes))
	})
	return lines
}
