package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Validation is a configuration and what NewLeaderElector said to it.
type Validation struct {
	L     int64  `json:"l"`
	D     int64  `json:"d"`
	R     int64  `json:"r"`
	ID    string `json:"id,omitempty"`
	Error string `json:"error,omitempty"`
}

// duration is drawn near what is refused: zero, a nanosecond beside another one, the ends of int64.
func (g generator) duration(near int64) int64 {
	switch g.IntN(8) {
	case 0:
		return near
	case 1:
		return near + g.between(-2, 2)
	case 2:
		return []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 / 2}[g.IntN(6)]
	case 3:
		return g.between(-3, 20)
	case 4:
		return g.Int64() // as long as it may be
	}
	return g.between(0, 60*second)
}

func (g generator) validation() Validation {
	v := Validation{R: g.duration(2 * second)}
	v.D = g.duration(int64(float64(v.R) * 1.2))
	v.L = g.duration(v.D)
	if g.chance(40) { // accepted, or nearly
		v.R = g.between(1, 5*second)
		v.D = v.R*6/5 + g.between(-1, 2)
		if g.chance(70) {
			v.D += g.between(0, 20*second)
		}
		v.L = v.D + g.between(0, 2)
	}
	if g.chance(85) {
		v.ID = "a"
	}
	return v
}

func refusalOf(v Validation) string {
	_, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: leaseNamespace, Name: leaseName},
			LockConfig: resourcelock.ResourceLockConfig{Identity: v.ID},
		},
		LeaseDuration: time.Duration(v.L), RenewDeadline: time.Duration(v.D), RetryPeriod: time.Duration(v.R),
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	if err == nil {
		return ""
	}
	return err.Error()
}

func validateAll(out io.Writer, seed uint64, count int) error {
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(header()); err != nil {
		return err
	}
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	for range count {
		v := g.validation()
		v.Error = refusalOf(v)
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return nil
}
