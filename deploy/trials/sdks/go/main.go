// Calls of the second generation by the SDK for Go, in gRPC: prints one line for each. DOMAIN, PORT and TOKEN say where and
// as whom. Run by ../../sdks.mjs.
package main

import (
	"context"
	"log"
	"os"

	"github.com/zitadel/zitadel-go/v3/pkg/client"
	"github.com/zitadel/zitadel-go/v3/pkg/zitadel"
)

func main() {
	ctx := context.Background()
	instance := zitadel.New(os.Getenv("DOMAIN"), zitadel.WithInsecure(os.Getenv("PORT")))
	api, err := client.New(ctx, instance, client.WithAuth(client.PAT(os.Getenv("TOKEN"))))
	if err != nil {
		log.Fatal(err)
	}
	organization, guest := organizations(ctx, api)
	project := projects(ctx, api, organization, guest)
	applications(ctx, api, project)
	users(ctx, api, organization)
	settingsAndKeys(ctx, api, organization)
	remove(ctx, api, organization, project)
}
