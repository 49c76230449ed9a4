// What crewjam/saml says and understands, in both roles. A command, its input as JSON on stdin, its answer as JSON.
package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/crewjam/saml"
	dsig "github.com/russellhaering/goxmldsig"
)

type input struct {
	Key, Certificate, Metadata                    string
	Binding, RequestID, SAMLResponse, URL, NameID string
	SAMLRequest                                   string
}

type answer map[string]any

func must[T any](value T, err error) T {
	if err != nil {
		if invalid, ok := err.(*saml.InvalidResponseError); ok {
			err = invalid.PrivateErr
		}
		log.Fatal(err)
	}
	return value
}

func at(address string) url.URL { return *must(url.Parse(address)) }

func (in input) pair() (crypto.Signer, *x509.Certificate) {
	pair := must(tls.LoadX509KeyPair(in.Certificate, in.Key))
	return pair.PrivateKey.(crypto.Signer), must(x509.ParseCertificate(pair.Certificate[0]))
}

func (in input) partner() *saml.EntityDescriptor {
	var entity saml.EntityDescriptor
	if err := xml.Unmarshal([]byte(in.Metadata), &entity); err != nil {
		log.Fatal(err)
	}
	return &entity
}

func method(key crypto.Signer) string {
	if _, ok := key.Public().(*ecdsa.PublicKey); ok {
		return dsig.ECDSASHA256SignatureMethod
	}
	return dsig.RSASHA256SignatureMethod
}

func sp(in input) *saml.ServiceProvider {
	key, certificate := in.pair()
	one := &saml.ServiceProvider{
		EntityID: "https://sp.test", Key: key, Certificate: certificate,
		MetadataURL: at("https://sp.test/metadata"), AcsURL: at("https://sp.test/acs"), SloURL: at("https://sp.test/slo"),
		AuthnNameIDFormat: saml.PersistentNameIDFormat, SignatureMethod: method(key), LogoutSignatureMethod: method(key),
		RejectSHA1Signatures: true, RejectUnknownConditions: true,
	}
	if in.Metadata != "" {
		one.IDPMetadata = in.partner()
	}
	return one
}

func spMetadata(in input) answer {
	return answer{"xml": string(must(xml.Marshal(sp(in).Metadata())))}
}

func spRequest(in input) answer {
	one := sp(in)
	binding := saml.HTTPRedirectBinding
	if in.Binding == "post" {
		binding = saml.HTTPPostBinding
	}
	request := must(one.MakeAuthenticationRequest(one.GetSSOBindingLocation(binding), binding, saml.HTTPPostBinding))
	if in.Binding == "post" {
		form := string(request.Post("state"))
		value := strings.Split(strings.Split(form, `name="SAMLRequest" value="`)[1], `"`)[0]
		return answer{"id": request.ID, "SAMLRequest": strings.ReplaceAll(value, "&#43;", "+")}
	}
	return answer{"id": request.ID, "url": must(request.Redirect("state/1?a=b c", one)).String()}
}

func spRead(in input) answer {
	document := must(base64.StdEncoding.DecodeString(in.SAMLResponse))
	assertion := must(sp(in).ParseXMLResponse(document, []string{in.RequestID}, at("https://sp.test/acs")))
	attributes := map[string][]string{}
	for _, statement := range assertion.AttributeStatements {
		for _, attribute := range statement.Attributes {
			for _, value := range attribute.Values {
				attributes[attribute.Name] = append(attributes[attribute.Name], value.Value)
			}
		}
	}
	return answer{
		"nameId": assertion.Subject.NameID.Value, "session": assertion.AuthnStatements[0].SessionIndex, "attributes": attributes,
	}
}

func spLogout(in input) answer {
	return answer{"url": must(sp(in).MakeRedirectLogoutRequest(in.NameID, "state")).String()}
}

type known struct{ entity *saml.EntityDescriptor }

func (one known) GetServiceProvider(*http.Request, string) (*saml.EntityDescriptor, error) {
	return one.entity, nil
}

func idp(in input) *saml.IdentityProvider {
	key, certificate := in.pair()
	one := &saml.IdentityProvider{
		Key: key, Certificate: certificate, SignatureMethod: method(key), RejectSHA1Signatures: true, WantAuthnRequestsSigned: true,
		MetadataURL: at("https://idp.test"), SSOURL: at("https://idp.test/sso"), LogoutURL: at("https://idp.test/slo"),
	}
	if in.Metadata != "" {
		one.ServiceProviderProvider = known{in.partner()}
	}
	return one
}

func idpMetadata(in input) answer {
	return answer{"xml": string(must(xml.Marshal(idp(in).Metadata())))}
}

func idpAnswer(in input) answer {
	sent := must(http.NewRequest("GET", in.URL, nil))
	if in.SAMLRequest != "" {
		form := url.Values{"SAMLRequest": {in.SAMLRequest}}.Encode()
		sent = must(http.NewRequest("POST", "https://idp.test/sso", bytes.NewBufferString(form)))
		sent.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request := must(saml.NewIdpAuthnRequest(idp(in), sent))
	must(0, request.Validate())
	session := &saml.Session{
		ID: "1", Index: "17", CreateTime: time.Now(), ExpireTime: time.Now().Add(time.Hour),
		NameID: in.NameID, NameIDFormat: string(saml.PersistentNameIDFormat), UserEmail: "anna@a.test", Groups: []string{"a & b", "<c>"},
	}
	must(0, saml.DefaultAssertionMaker{}.MakeAssertion(request, session))
	form := must(request.PostBinding())
	return answer{"SAMLResponse": form.SAMLResponse, "acs": form.URL, "requestId": request.Request.ID}
}

func main() {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		log.Fatal(err)
	}
	commands := map[string]func(input) answer{
		"sp_metadata": spMetadata, "sp_request": spRequest, "sp_read": spRead, "sp_logout": spLogout,
		"idp_metadata": idpMetadata, "idp_answer": idpAnswer,
	}
	_ = json.NewEncoder(os.Stdout).Encode(commands[os.Args[1]](in))
}
