#!/bin/sh
# A domain of Active Directory by samba-ad-dc in the folder $1, on loopback: ldap 389, ldaps 636. Needs root.
set -eu
folder=$1
conf=$folder/etc/smb.conf
samba-tool domain provision --targetdir="$folder" --realm=ACME.TEST --domain=ACME --adminpass=Admin-Word-1 \
  --server-role=dc --dns-backend=NONE --option='interfaces=127.0.0.1/8' --option='bind interfaces only=yes' \
  --option='server services=ldap kdc cldap winbindd' >"$folder/provision.log" 2>&1
cd "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj '/CN=Trial authority' -days 3 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost 2>/dev/null
printf 'subjectAltName=IP:127.0.0.1,DNS:localhost\n' > server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile server.ext -out server.pem -days 3 2>/dev/null
chmod 600 server.key
sed -i "s|^\[global\]|[global]\n\ttls enabled = yes\n\ttls keyfile = $folder/server.key\n\ttls certfile = $folder/server.pem\n\ttls cafile = $folder/ca.pem|" "$conf"
tool() { samba-tool "$@" -s "$conf" >/dev/null; }
tool user create gatehouse Service-Word-1
for who in anna berta carla dora; do tool user create $who Person-Word-1 --given-name=$who --mail-address=$who@mail.test; done
tool user disable berta
tool user setpassword carla --newpassword=Person-Word-1 --must-change-at-next-login
tool user setexpiry dora --days=0
tool group add admins
tool group add everybody
tool group addmembers admins anna
tool group addmembers everybody admins
samba -s "$conf" --option="pid directory=$folder"
