#!/bin/sh
# Debian's slapd with memberof and ppolicy in the folder $1, on loopback: ldap 3890, ldaps 3636.
set -eu
folder=$1
base=dc=acme,dc=test
mkdir -p "$folder/data"
cd "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj '/CN=Trial authority' -days 3 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost 2>/dev/null
printf 'subjectAltName=IP:127.0.0.1,DNS:localhost\n' > server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile server.ext -out server.pem -days 3 2>/dev/null
cat > slapd.conf <<CONF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
moduleload ppolicy
pidfile $folder/slapd.pid
TLSCACertificateFile $folder/ca.pem
TLSCertificateFile $folder/server.pem
TLSCertificateKeyFile $folder/server.key
database mdb
suffix $base
rootdn cn=root,$base
rootpw root-word
directory $folder/data
index objectClass,uid,mail eq
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact=cn=gatehouse,$base read by * none
overlay memberof
overlay ppolicy
ppolicy_default cn=policy,$base
ppolicy_use_lockout
CONF
hash() { slappasswd -s "$1"; }
cat > content.ldif <<LDIF
dn: $base
objectClass: dcObject
objectClass: organization
dc: acme
o: Acme

dn: ou=people,$base
objectClass: organizationalUnit
ou: people

dn: ou=groups,$base
objectClass: organizationalUnit
ou: groups

dn: cn=policy,$base
objectClass: device
objectClass: pwdPolicy
cn: policy
pwdAttribute: userPassword
pwdMaxAge: 0
pwdLockout: TRUE
pwdMaxFailure: 15
pwdMustChange: TRUE

dn: cn=short,$base
objectClass: device
objectClass: pwdPolicy
cn: short
pwdAttribute: userPassword
pwdMaxAge: 1

dn: cn=gatehouse,$base
objectClass: device
objectClass: simpleSecurityObject
cn: gatehouse
userPassword: $(hash service-word)

LDIF
for who in anna berta carla dora; do
  cat >> content.ldif <<LDIF
dn: uid=$who,ou=people,$base
objectClass: inetOrgPerson
uid: $who
cn: $who
givenName: $who
sn: Trial
mail: $who@mail.test
userPassword: $(hash "$who-word")

LDIF
done
cat >> content.ldif <<LDIF
dn: cn=admins,ou=groups,$base
objectClass: groupOfNames
cn: admins
member: uid=anna,ou=people,$base
LDIF
slapd -h 'ldap://127.0.0.1:3890 ldaps://127.0.0.1:3636' -f slapd.conf
ldapadd -x -H ldap://127.0.0.1:3890 -D cn=root,$base -w root-word -f content.ldif >/dev/null
ldapmodify -x -e relax -H ldap://127.0.0.1:3890 -D cn=root,$base -w root-word >/dev/null <<LDIF
dn: uid=berta,ou=people,$base
changetype: modify
add: pwdPolicySubentry
pwdPolicySubentry: cn=short,$base
-
replace: pwdChangedTime
pwdChangedTime: 20200101000000Z

dn: uid=carla,ou=people,$base
changetype: modify
add: pwdReset
pwdReset: TRUE

dn: uid=dora,ou=people,$base
changetype: modify
replace: pwdAccountLockedTime
pwdAccountLockedTime: 000001010000Z
LDIF
