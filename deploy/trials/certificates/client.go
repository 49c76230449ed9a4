// Redeems a code with golang.org/x/oauth2 over crypto/tls, with a certificate and no other credentials, and uses the token.
// Run by ../certificates.mjs.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"golang.org/x/oauth2"
)

type metadata struct {
	Aliases struct {
		Token    string `json:"token_endpoint"`
		Userinfo string `json:"userinfo_endpoint"`
	} `json:"mtls_endpoint_aliases"`
}

func main() {
	folder := os.Getenv("FOLDER")
	authority, err := os.ReadFile(folder + "/server-authority.pem")
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	name := os.Getenv("CERTIFICATE")
	own, err := tls.LoadX509KeyPair(folder+"/"+name+".pem", folder+"/"+name+".key")
	check(err)
	with, without := clientOf(roots, own), clientOf(roots)

	var found metadata
	answer, err := without.Get("https://id.example.com/.well-known/openid-configuration")
	check(err)
	check(json.NewDecoder(answer.Body).Decode(&found))

	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, with)
	config := oauth2.Config{
		ClientID:    os.Getenv("CLIENT_ID"),
		RedirectURL: os.Getenv("REDIRECT_URI"),
		Endpoint:    oauth2.Endpoint{TokenURL: found.Aliases.Token, AuthStyle: oauth2.AuthStyleInParams},
	}
	token, err := config.Exchange(ctx, os.Getenv("CODE"), oauth2.VerifierOption(os.Getenv("VERIFIER")))
	check(err)
	statuses := []int{}
	for _, client := range []*http.Client{with, without} {
		request, err := http.NewRequest(http.MethodGet, found.Aliases.Userinfo, nil)
		check(err)
		token.SetAuthHeader(request)
		answer, err := client.Do(request)
		if err != nil {
			statuses = append(statuses, 0) // no handshake without a certificate
			continue
		}
		statuses = append(statuses, answer.StatusCode)
	}
	fmt.Printf("type=%s with=%d without=%d\n", token.Type(), statuses[0], statuses[1])
}

func clientOf(roots *x509.CertPool, own ...tls.Certificate) *http.Client {
	ports := map[string]string{"id.example.com:443": os.Getenv("PORT"), "mtls.example.com:443": os.Getenv("MTLS_PORT")}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: own},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+ports[address])
		},
	}}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
