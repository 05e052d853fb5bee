#!/bin/sh
# Makes the certificates of these tests: an unknown CA, and one certificate for each way to be rejected.
# The key protects nothing. It is here so that the tests need no openssl.
set -eu
cd "$(dirname "$0")"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 36500 -subj "/CN=Curlew tests" 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server-test-only.key -out server.csr -subj "/CN=localhost" 2>/dev/null
make() { # NAME NAMES DAYS
  printf 'subjectAltName=%s\n' "$2" >ext
  openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -out "$1.pem" -extfile ext -days "$3" 2>/dev/null
}
make wrong-host "DNS:other.example" 36500
make expired "DNS:localhost,IP:127.0.0.1" -1
openssl req -x509 -key server-test-only.key -out self-signed.pem -days 36500 -subj "/CN=localhost" -addext "subjectAltName=DNS:localhost,IP:127.0.0.1"
rm -f ca.key server.csr ext ca.srl
