// Exchanges tokens with the client library of github.com/zitadel/oidc, and prints whom the new one is for. Run by ../go-clients.mjs.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/zitadel/oidc/v3/pkg/client/rs"
	"github.com/zitadel/oidc/v3/pkg/client/tokenexchange"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

func main() {
	ctx := context.Background()
	issuer, id, secret := os.Getenv("ISSUER"), os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	exchanger, err := tokenexchange.NewTokenExchangerClientCredentials(ctx, issuer, id, secret)
	if err != nil {
		log.Fatal(err)
	}
	actorToken := os.Getenv("ACTOR_TOKEN")
	var actorTokenType oidc.TokenType
	if actorToken != "" {
		actorTokenType = oidc.AccessTokenType
	}
	answer, err := tokenexchange.ExchangeToken(ctx, exchanger, os.Getenv("SUBJECT_TOKEN"), oidc.AccessTokenType,
		actorToken, actorTokenType, nil, nil, []string{"openid"}, oidc.AccessTokenType)
	if err != nil {
		log.Fatal(err)
	}
	server, err := rs.NewResourceServerClientCredentials(ctx, issuer, id, secret)
	if err != nil {
		log.Fatal(err)
	}
	found, err := rs.Introspect[*oidc.IntrospectionResponse](ctx, server, answer.AccessToken)
	if err != nil {
		log.Fatal(err)
	}
	actor := ""
	if found.Actor != nil {
		actor = found.Actor.Subject
	}
	fmt.Printf("active=%t sub=%s act=%s scope=%v\n", found.Active, found.Subject, actor, answer.Scopes)
}
