#!/bin/sh
# Makes the certificates of the sample API: a test CA, and a server certificate for this machine's own names only.
# The CA's private key is thrown away at the end, so that nobody (we included) can sign anything else with it: trusting
# ca.pem never means more than trusting the sample API. Valid from 2020, so that a clock that is slow does no harm.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/openssl.cnf" <<END
[ca]
default_ca = test
[test]
database = $work/index.txt
new_certs_dir = $work
rand_serial = yes
unique_subject = no
default_md = sha256
default_startdate = 20200101000000Z
default_enddate = 20560101000000Z
policy = names
[names]
commonName = supplied
[ca_extensions]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[server_extensions]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,keyEncipherment
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost,IP:127.0.0.1,IP:::1
authorityKeyIdentifier = keyid
END
: >"$work/index.txt"

# request NAME SUBJECT KEYFILE: a new key and a signing request for it
request() {
  openssl req -newkey rsa:2048 -nodes -sha256 -keyout "$3" -out "$work/$1.csr" -subj "$2" 2>/dev/null
}
sign() {
  openssl ca -batch -notext -config "$work/openssl.cnf" "$@" 2>/dev/null
}

request ca "/CN=Curlew sample API test CA (do not install)" "$work/ca.key"
sign -selfsign -keyfile "$work/ca.key" -in "$work/ca.csr" -out ca.pem -extensions ca_extensions
request server "/CN=localhost" server-test-only.key
sign -cert ca.pem -keyfile "$work/ca.key" -in "$work/server.csr" -out server.pem -extensions server_extensions
chmod 644 server-test-only.key
openssl verify -CAfile ca.pem server.pem
