// The recorder runs the unmodified leader elector of k8s.io/client-go in fake time and writes down
// what it does. README.md, one folder up, says what for.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// Header is the first line of a recording.
type Header struct {
	ClientGo string `json:"clientGo"`
	Go       string `json:"go"`
}

func clientGoVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/client-go" {
			return module.Version
		}
	}
	return "unknown"
}

func header() Header { return Header{clientGoVersion(), runtime.Version()} }

// recordAll reads scripts, one a line, and writes their recordings.
func recordAll(t *testing.T, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(header()); err != nil {
		return err
	}
	for lines.Scan() {
		var script Script
		if err := json.Unmarshal(lines.Bytes(), &script); err != nil {
			return err
		}
		observed := record(t, &script)
		if err := encoder.Encode(map[string]*Script{"script": &script}); err != nil {
			return err
		}
		for _, line := range observed {
			if err := encoder.Encode(line); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func run(t *testing.T, arguments []string, stdout io.Writer) error {
	if len(arguments) == 0 {
		return errors.New("usage: recorder generate|by-hand|record|validate|samples|speed|version")
	}
	out := bufio.NewWriterSize(stdout, 1<<16)
	defer out.Flush()
	flags := flag.NewFlagSet(arguments[0], flag.ExitOnError)
	seed := flags.Uint64("seed", 1, "of what is drawn")
	count := flags.Int("count", 100, "how many")
	what := flags.String("what", "crash", "samples: crash, isolation, isolation-release, outage")
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	switch arguments[0] {
	case "generate":
		return generateAll(out, *seed, *count)
	case "by-hand":
		return byHand(out)
	case "record":
		return recordAll(t, os.Stdin, out)
	case "validate":
		return validateAll(out, *seed, *count)
	case "samples":
		return sampleAll(t, out, *what, *seed, *count)
	case "speed":
		return measureSpeed(t, out, *count)
	case "version":
		_, err := fmt.Fprintln(out, clientGoVersion(), runtime.Version())
		return err
	}
	return fmt.Errorf("unknown command %q", arguments[0])
}

// A bubble of fake time wants a *testing.T, so the program is a test without a test's package. What
// the test says about itself goes nowhere; the program's output is on the real stdout.
func main() {
	klog.SetLogger(logr.Discard())
	arguments, stdout := os.Args[1:], os.Stdout
	os.Args = os.Args[:1]
	os.Stdout, _ = os.Open(os.DevNull)
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "recorder", F: func(t *testing.T) {
		if err := run(t, arguments, stdout); err != nil {
			fmt.Fprintln(os.Stderr, "recorder:", err)
			t.Fail()
		}
	}}}, nil, nil)
}
