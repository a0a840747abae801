package main

import (
	"io"
	"testing"
)

func validateAll(out io.Writer, seed uint64, count int) error                          { return nil }
func sampleAll(t *testing.T, out io.Writer, what string, seed uint64, count int) error { return nil }
func measureSpeed(t *testing.T, out io.Writer, count int) error                        { return nil }
