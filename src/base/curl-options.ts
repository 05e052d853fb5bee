// curl-options: the options that curl has, from 7.83 on: which take a value, and which stand alone.
// Whoever reads a curl command line needs it: the guards of values (workflow/shell/http.ts) and the curl in front (process/curl-front.ts).
// test/calls/options.test.ts compares it with what each curl of the machine says of itself.

/** Letters of options that take a value. */
export const CURL_SHORT_TAKING = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";

/** Long names of options that take a value. */
export const CURL_TAKING: readonly string[] = words(`
  abstract-unix-socket alt-svc aws-sigv4 ca-native-path cacert capath cert cert-type ciphers config connect-timeout
  connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw
  data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file
  engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method
  ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface
  ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type knownhosts krb libcurl limit-rate local-port
  login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output
  output-dir parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir proxy
  proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key
  proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype
  proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request
  request-target resolve retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5
  socks5-gssapi-service socks5-hostname speed-limit speed-time ssl-sessions stderr telnet-option tftp-blksize
  time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket
  upload-file upload-flags url url-query user user-agent variable vlan-priority write-out
`);

/** Long names of options that stand alone. */
export const CURL_PLAIN: readonly string[] = words(`
  anyauth append basic ca-native cert-status compressed compressed-ssh create-dirs crlf digest disable disable-eprt
  disable-epsv disallow-username-in-url doh-cert-status doh-insecure dump-ca-embed fail fail-early fail-with-body
  false-start follow form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control get
  globoff haproxy-protocol head help http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only
  ignore-content-length include insecure ipv4 ipv6 junk-session-cookies list-only location location-trusted
  mail-rcpt-allowfails manual metalink mptcp negotiate netrc netrc-optional next no-alpn no-buffer no-clobber
  no-keepalive no-npn no-progress-meter no-sessionid ntlm ntlm-wb out-null parallel parallel-immediate path-as-is
  post301 post302 post303 progress-bar proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-http3
  proxy-insecure proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel
  raw remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused
  sasl-ir show-error show-headers silent skip-existing socks5-basic socks5-gssapi socks5-gssapi-nec ssl
  ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output
  suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tls-earlydata tlsv1 tlsv1.0 tlsv1.1 tlsv1.2
  tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version xattr
`);

/** Names in a format (`%{…}`) that curl 7.83 to 7.88 knows. */
export const CURL_WRITE_OUT: readonly string[] = words(`
  content_type errormsg exitcode filename_effective ftp_entry_path header_json http_code http_connect http_version json
  local_ip local_port method num_connects num_headers num_redirects onerror proxy_ssl_verify_result redirect_url referer
  remote_ip remote_port response_code scheme size_download size_header size_request size_upload speed_download
  speed_upload ssl_verify_result stderr stdout time_appconnect time_connect time_namelookup time_pretransfer
  time_redirect time_starttransfer time_total url url_effective urlnum
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
