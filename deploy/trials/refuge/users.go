// Reads users with the key of a service user, and lets an API ask, with its own key, about the token that was used.
// By the library of the vendor, which takes a port in place of https. Run by ../refuge.mjs.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/zitadel-go/v3/pkg/authorization"
	"github.com/zitadel/zitadel-go/v3/pkg/authorization/oauth"
	"github.com/zitadel/zitadel-go/v3/pkg/client"
	"github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/management"
	"github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/object/v2"
	user "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/user/v2"
	"github.com/zitadel/zitadel-go/v3/pkg/zitadel"
)

func main() {
	ctx := context.Background()
	instance := zitadel.New("localhost", zitadel.WithInsecure(os.Getenv("SERVICE_PORT")))
	api, err := client.New(ctx, instance, client.WithAuth(client.DefaultServiceUserAuthentication(
		os.Getenv("SERVICE_KEY"), oidc.ScopeOpenID, client.ScopeZitadelAPI(), client.ScopeProjectID(os.Getenv("PROJECT_ID")))))
	check(err)
	org, err := api.ManagementService().GetMyOrg(ctx, &management.GetMyOrgRequest{})
	check(err)
	names := map[string]bool{}
	for more := true; more; {
		page, err := api.UserServiceV2().ListUsers(ctx, &user.ListUsersRequest{Query: &object.ListQuery{Offset: uint64(len(names))}})
		check(err)
		for _, each := range page.GetResult() {
			names[each.GetUsername()] = true
		}
		more = len(page.GetResult()) > 0
	}
	one, err := api.UserServiceV2().GetUserByID(ctx, &user.GetUserByIDRequest{UserId: os.Getenv("USER_ID")})
	check(err)

	token, err := api.GetValidToken()
	check(err)
	authorizer, err := authorization.New(ctx, instance, oauth.DefaultAuthorization(os.Getenv("API_KEY")))
	check(err)
	asked, err := authorizer.CheckAuthorization(ctx, "Bearer "+token)
	check(err)
	fmt.Printf("org=%s users=%d user=%s asked=%s\n",
		org.GetOrg().GetId(), len(names), one.GetUser().GetUsername(), asked.UserID())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
