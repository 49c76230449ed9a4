// Makes the certificates of the trial ../certificates.mjs in the folder that is named: two authorities of the same name,
// certificates of clients, and those of the hosts.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

type issued struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

var serial int64

func main() {
	day := 24 * time.Hour
	client := pkix.Name{Organization: []string{"Bank, Ärger / Söhne"}, CommonName: "client-1"}
	authority := issue("authority", authorityOf(), nil, 0, day)
	stranger := issue("stranger-authority", authorityOf(), nil, 0, day)
	issue("client", clientOf(client), authority, 0, day)
	issue("other", clientOf(pkix.Name{Organization: []string{"Bank, Ärger / Söhne"}, CommonName: "client-2"}), authority, 0, day)
	issue("expired", clientOf(client), authority, -2*day, -day)
	issue("stranger", clientOf(client), stranger, 0, day)
	issue("self", clientOf(client), nil, 0, day)
	issue("self-other", clientOf(client), nil, 0, day)
	issue("server", &x509.Certificate{
		Subject:     pkix.Name{CommonName: "id.example.com"},
		DNSNames:    []string{"id.example.com", "mtls.example.com"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, issue("server-authority", authorityOf(), nil, 0, day), 0, day)
}

func authorityOf() *x509.Certificate {
	return &x509.Certificate{
		Subject:               pkix.Name{CommonName: "Authority of clients"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
}

func clientOf(name pkix.Name) *x509.Certificate {
	return &x509.Certificate{
		Subject:     name,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
}

// issue writes the certificate and its key, and both in one file, as HAProxy reads them. Without an issuer it is self-signed.
func issue(name string, template *x509.Certificate, by *issued, from, until time.Duration) *issued {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	serial++
	template.SerialNumber = big.NewInt(serial)
	template.NotBefore, template.NotAfter = time.Now().Add(from-time.Hour), time.Now().Add(until)
	if by == nil {
		by = &issued{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.certificate, &key.PublicKey, by.key)
	check(err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	secret := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	write(name+".pem", certificate)
	write(name+".key", secret)
	write(name+".both", append(certificate, secret...))
	made, err := x509.ParseCertificate(der)
	check(err)
	return &issued{made, key}
}

func write(name string, content []byte) {
	check(os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
