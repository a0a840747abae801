package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	coordination "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// server keeps one Lease as the API server does: compare-and-swap by resourceVersion, uid as a
// precondition, the validation of a LeaseSpec. It knows the wire, not client-go.
type server struct {
	mu      sync.Mutex
	version int64
	uids    int
	stored  *object
	out     atomic.Bool // nobody listens
}

type object struct {
	Kind       string   `json:"kind,omitempty"`
	APIVersion string   `json:"apiVersion,omitempty"`
	Metadata   metadata `json:"metadata"`
	Spec       wireSpec `json:"spec"`
}

type metadata struct {
	Name            string `json:"name,omitempty"`
	Namespace       string `json:"namespace,omitempty"`
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

type wireSpec struct {
	HolderIdentity       *string `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32  `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *string `json:"acquireTime,omitempty"`
	RenewTime            *string `json:"renewTime,omitempty"`
	LeaseTransitions     *int32  `json:"leaseTransitions,omitempty"`
	Strategy             *string `json:"strategy,omitempty"`
	PreferredHolder      *string `json:"preferredHolder,omitempty"`
}

const microLayout = "2006-01-02T15:04:05.000000Z07:00"

func text(microseconds int64) *string {
	if microseconds == 0 {
		return nil
	}
	s := time.UnixMicro(microseconds).UTC().Format(microLayout)
	return &s
}

// micro refuses every form of a time but the one of MicroTime, so that no digit can hide.
func micro(s *string) int64 {
	if s == nil {
		return 0
	}
	at, err := time.Parse(microLayout, *s)
	if err != nil || at.UTC().Format(microLayout) != *s {
		panic(fmt.Sprintf("not a MicroTime: %q", *s))
	}
	return at.UnixMicro()
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (s Spec) wire() wireSpec {
	return wireSpec{s.Holder, s.Duration, text(s.Acquire), text(s.Renew), s.Transitions, optional(s.Strategy), optional(s.Preferred)}
}

func (o object) observed() *Lease {
	s := o.Spec
	return &Lease{o.Metadata.UID, o.Metadata.ResourceVersion,
		Spec{s.HolderIdentity, s.LeaseDurationSeconds, micro(s.AcquireTime), micro(s.RenewTime), s.LeaseTransitions,
			value(s.PreferredHolder), value(s.Strategy)}}
}

func (o object) isValid() bool {
	s := o.Spec
	return (s.LeaseDurationSeconds == nil || *s.LeaseDurationSeconds > 0) &&
		(s.LeaseTransitions == nil || *s.LeaseTransitions >= 0) &&
		(s.PreferredHolder == nil || *s.PreferredHolder == "" || value(s.Strategy) != "")
}

// decode reads a body in whatever form the client writes: JSON, or protobuf as the newer ones do.
func decode(content []byte) object {
	lease, _, err := scheme.Codecs.UniversalDeserializer().Decode(content, nil, nil)
	if err != nil {
		panic(fmt.Sprintf("a body that cannot be read: %v: %q", err, content))
	}
	spec := &lease.(*coordination.Lease).Spec
	for _, at := range []*metav1.MicroTime{spec.AcquireTime, spec.RenewTime} {
		// JSON cannot carry more than microseconds; no other form may.
		if at != nil && at.Nanosecond()%1000 != 0 {
			panic(fmt.Sprintf("a time finer than a microsecond: %v", at.Time))
		}
	}
	var o object
	plain, err := json.Marshal(lease)
	if err == nil {
		err = json.Unmarshal(plain, &o)
	}
	if err != nil {
		panic(err)
	}
	return o
}

// answer is a reply before it is HTTP.
type answer struct {
	code   int
	reason string
	after  string
	object *object
	err    error
	name   string // of err
}

func refusal(code int, reason string) answer { return answer{code: code, reason: reason} }

func (s *server) put(o object) answer {
	s.version++
	o.Metadata.ResourceVersion = strconv.FormatInt(s.version, 10)
	if s.stored == nil {
		s.uids++
		o.Metadata.UID = strconv.Itoa(s.uids)
	} else {
		o.Metadata.UID = s.stored.Metadata.UID
	}
	o.Kind, o.APIVersion = "Lease", "coordination.k8s.io/v1"
	o.Metadata.Name, o.Metadata.Namespace = leaseName, leaseNamespace
	s.stored = &o
	return answer{code: http.StatusOK, object: &o}
}

func (s *server) handle(method string, body object) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case http.MethodGet:
		if s.stored == nil {
			return refusal(http.StatusNotFound, "NotFound")
		}
		return answer{code: http.StatusOK, object: s.stored}
	case http.MethodPost:
		if !body.isValid() {
			return refusal(http.StatusUnprocessableEntity, "Invalid")
		}
		if s.stored != nil {
			return refusal(http.StatusConflict, "AlreadyExists")
		}
		a := s.put(body)
		a.code = http.StatusCreated
		return a
	case http.MethodPut:
		return s.update(body)
	}
	panic("no elector sends " + method)
}

func (s *server) update(body object) answer {
	m := body.Metadata
	if s.stored == nil {
		if m.UID != "" {
			return refusal(http.StatusConflict, "Conflict")
		}
		return s.put(body)
	}
	if m.UID != "" && m.UID != s.stored.Metadata.UID {
		return refusal(http.StatusConflict, "Conflict")
	}
	if m.ResourceVersion == "" {
		return refusal(http.StatusUnprocessableEntity, "Invalid")
	}
	if m.ResourceVersion != s.stored.Metadata.ResourceVersion {
		return refusal(http.StatusConflict, "Conflict")
	}
	if !body.isValid() {
		return refusal(http.StatusUnprocessableEntity, "Invalid")
	}
	if same(body.Spec, s.stored.Spec) { // a write that changes nothing is not a write
		return answer{code: http.StatusOK, object: s.stored}
	}
	return s.put(body)
}

func same(a, b wireSpec) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

func (s *server) foreign(f Foreign, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Do == foreignSet {
		s.put(object{Spec: f.Spec.wire()})
		return
	}
	if s.stored == nil {
		if f.Do == foreignAssign {
			s.put(object{Spec: assigned(f.Holder, now, 0)})
		}
		return
	}
	changed := *s.stored
	switch f.Do {
	case foreignDelete:
		s.stored = nil
		s.version++
		return
	case foreignClear:
		empty := ""
		changed.Spec.HolderIdentity = &empty
	case foreignPrefer:
		changed.Spec.PreferredHolder = &f.Holder
		strategy := "OldestEmulationVersion"
		changed.Spec.Strategy = &strategy
	case foreignTouch:
		changed.Spec.RenewTime = text(now.UnixMicro())
	case foreignAssign:
		var transitions int32
		if t := changed.Spec.LeaseTransitions; t != nil {
			transitions = *t + 1
		}
		changed.Spec = assigned(f.Holder, now, transitions)
	default:
		panic("unknown foreign write " + f.Do)
	}
	s.put(changed)
}

func assigned(holder string, now time.Time, transitions int32) wireSpec {
	at, seconds, strategy := text(now.UnixMicro()), int32(5), "OldestEmulationVersion"
	return wireSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, AcquireTime: at, RenewTime: at,
		LeaseTransitions: &transitions, Strategy: &strategy}
}

// wire is the network between one elector and the server, an http.RoundTripper that does what the
// script says.
type wire struct {
	number int // of the elector
	script *Elector
	server *server
	log    *Log
	dead   chan struct{} // closed when the process crashes
	cut    atomic.Bool   // nothing passes

	mu   sync.Mutex
	sent int
}

func (w *wire) isDead() bool {
	select {
	case <-w.dead:
		return true
	default:
		return false
	}
}

func (w *wire) next() (int, Fate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent++
	if w.sent <= len(w.script.Requests) {
		return w.sent, w.script.Requests[w.sent-1]
	}
	return w.sent, w.script.Then
}

type crashed struct{}

func (crashed) Error() string { return "the process has crashed" }

func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	if w.isDead() {
		return nil, crashed{}
	}
	if err := request.Context().Err(); err != nil {
		return nil, err // as http.Transport does: nothing is sent
	}
	var body object
	line := Line{E: w.number, K: kindRequest, Verb: request.Method}
	if request.Body != nil {
		content, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		request.Body.Close()
		body = decode(content)
		line.Lease = body.observed()
	}
	number, fate := w.next()
	line.N = number
	w.log.add(line)
	replies := make(chan answer, 1)
	go w.carry(request.Method, body, fate, replies)
	select {
	case a := <-replies:
		if w.isDead() {
			return nil, crashed{}
		}
		return w.deliver(number, a, request)
	case <-request.Context().Done():
		return nil, request.Context().Err()
	case <-w.dead:
		return nil, crashed{}
	}
}

// carry brings a request to the server and its answer back. It runs on when the client has given up.
func (w *wire) carry(method string, body object, fate Fate, replies chan<- answer) {
	pause(fate.Out)
	if w.isDead() || w.cut.Load() {
		return
	}
	a, answers := w.arrive(method, body, fate)
	pause(fate.Back)
	if answers && !w.cut.Load() {
		replies <- a
	}
}

func pause(nanoseconds int64) {
	if nanoseconds > 0 {
		time.Sleep(time.Duration(nanoseconds))
	}
}

func (w *wire) arrive(method string, body object, fate Fate) (answer, bool) {
	if w.server.out.Load() {
		fate.Do = refused
	}
	switch fate.Do {
	case "":
		return w.server.handle(method, body), true
	case status:
		return w.scripted(method, fate), true
	case refused:
		return answer{err: syscall.ECONNREFUSED, name: refused}, true
	case reset:
		return answer{err: syscall.ECONNRESET, name: reset}, true
	case hang:
		return answer{}, false
	case lost:
		w.server.handle(method, body)
		return answer{}, false
	case broken:
		w.server.handle(method, body)
		return answer{err: syscall.ECONNRESET, name: reset}, true
	}
	panic("unknown fate " + fate.Do)
}

func (w *wire) scripted(method string, fate Fate) answer {
	reasons := map[int]string{403: "Forbidden", 404: "NotFound", 409: "Conflict", 422: "Invalid",
		429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable", 504: "Timeout"}
	a := refusal(fate.Code, reasons[fate.Code])
	if fate.Code == http.StatusConflict && method == http.MethodPost {
		a.reason = "AlreadyExists"
	}
	if fate.After > 0 {
		a.after = strconv.Itoa(fate.After)
	} else if fate.After < 0 {
		a.after = "0"
	}
	return a
}

func (w *wire) deliver(number int, a answer, request *http.Request) (*http.Response, error) {
	line := Line{E: w.number, K: kindReply, N: number, Code: a.code, Reason: a.reason, After: a.after, Err: a.name}
	if a.object != nil {
		line.Lease = a.object.observed()
	}
	w.log.add(line)
	if a.err != nil {
		return nil, a.err
	}
	var content []byte
	if a.object != nil {
		content, _ = json.Marshal(a.object)
	} else {
		content, _ = json.Marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{},
			"status": "Failure", "message": a.reason, "reason": a.reason, "code": a.code})
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if a.after != "" {
		header.Set("Retry-After", a.after)
	}
	return &http.Response{StatusCode: a.code, Status: strconv.Itoa(a.code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(content)), ContentLength: int64(len(content)), Request: request}, nil
}
