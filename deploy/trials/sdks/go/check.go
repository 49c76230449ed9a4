package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type method[Q, A any] = func(context.Context, Q, ...grpc.CallOption) (A, error)

// The operation must answer something of which holds is true.
func call[Q, A any](ctx context.Context, operation method[Q, A], request Q, holds func(A) bool) A {
	answer, err := operation(ctx, request)
	switch {
	case err != nil:
		fmt.Println("FAILED", nameOf(operation), err)
		os.Exit(1)
	case !holds(answer):
		fmt.Println("FAILED", nameOf(operation), answer)
	default:
		fmt.Println("ok", nameOf(operation))
	}
	return answer
}

// The operation must be refused with this code.
func refuse[Q, A any](ctx context.Context, operation method[Q, A], request Q, code codes.Code) {
	_, err := operation(ctx, request)
	if status.Code(err) != code {
		fmt.Println("FAILED", nameOf(operation), status.Code(err), "in place of", code)
		return
	}
	fmt.Println("ok", nameOf(operation), code)
}

// The service and the method, from the name of a method value such as path/org/v2.OrganizationServiceClient.AddOrganization-fm.
func nameOf(operation any) string {
	name := runtime.FuncForPC(reflect.ValueOf(operation).Pointer()).Name()
	parts := strings.Split(strings.TrimSuffix(name, "-fm"), ".")
	return strings.Join(parts[len(parts)-2:], ".")
}
