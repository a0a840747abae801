package main

// A script: everything that happens around the electors, so that what they do is theirs alone.
// Instants and durations are nanoseconds, instants count from the start of the script, which is
// 2000-01-01T00:00:00Z on the wall clock. A negative instant is "never".

// Script is one experiment.
type Script struct {
	Name     string    `json:"name"`
	End      int64     `json:"end"`
	Lease    *Spec     `json:"lease,omitempty"` // there before anybody starts
	Electors []Elector `json:"electors"`
	Foreign  []Foreign `json:"foreign,omitempty"`
	Checks   []int64   `json:"checks,omitempty"` // when the health checks are asked
}

// Elector is one process; two of them may bear one identity.
type Elector struct {
	ID            string  `json:"id"`
	Start         int64   `json:"start"`
	Cancel        int64   `json:"cancel"` // its context
	Crash         int64   `json:"crash"`
	LeaseDuration int64   `json:"leaseDuration"`
	RenewDeadline int64   `json:"renewDeadline"`
	RetryPeriod   int64   `json:"retryPeriod"`
	Release       bool    `json:"release,omitempty"`
	Coordinated   bool    `json:"coordinated,omitempty"`
	Timeout       int64   `json:"timeout,omitempty"` // of its client; 0 is none
	QPS           float32 `json:"qps,omitempty"`     // 0 is client-go's default, negative is no limit
	Burst         int     `json:"burst,omitempty"`
	HealthTimeout int64   `json:"healthTimeout,omitempty"`
	Requests      []Fate  `json:"requests,omitempty"` // by the number of the request on the wire
	Then          Fate    `json:"then"`               // of all later ones
}

// Fate is what becomes of one request.
type Fate struct {
	Out  int64  `json:"out"`  // latency to the server
	Back int64  `json:"back"` // latency of the answer
	Do   string `json:"do,omitempty"`
	Code int    `json:"code,omitempty"`
	// The Retry-After header, for Do "status"; 0 is none, negative is "0".
	After int `json:"after,omitempty"`
}

// The values of Fate.Do. The empty one asks the store.
const (
	status  = "status"  // the server answers Code without touching the store
	refused = "refused" // nobody listens
	reset   = "reset"   // the connection breaks before the server has the request
	hang    = "hang"    // the request is swallowed
	lost    = "lost"    // applied, and the answer is swallowed
	broken  = "broken"  // applied, and then the connection breaks
)

// Spec is a Lease's spec. Times are microseconds since the Unix epoch, 0 is absent.
type Spec struct {
	Holder      *string `json:"holder,omitempty"`
	Duration    *int32  `json:"duration,omitempty"`
	Acquire     int64   `json:"acquire,omitempty"`
	Renew       int64   `json:"renew,omitempty"`
	Transitions *int32  `json:"transitions,omitempty"`
	Preferred   string  `json:"preferred,omitempty"`
	Strategy    string  `json:"strategy,omitempty"`
}

// Foreign is a write by somebody who asks nobody's leave.
type Foreign struct {
	At     int64  `json:"at"`
	Do     string `json:"do"`
	Holder string `json:"holder,omitempty"`
	Spec   *Spec  `json:"spec,omitempty"`
}

// The values of Foreign.Do.
const (
	foreignSet    = "set"    // Spec replaces the spec; creates the Lease where there is none
	foreignDelete = "delete" // the Lease
	foreignClear  = "clear"  // its holder
	foreignPrefer = "prefer" // Holder becomes preferredHolder
	foreignTouch  = "touch"  // renewTime becomes now
	foreignAssign = "assign" // as the controller of coordinated elections does: Holder holds from now
)
