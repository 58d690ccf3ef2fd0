/**
 * A self-signed certificate for servers that tests start on this machine. It protects nothing, which
 * is why its key may lie here; it runs out in a hundred years.
 */
export const localhostCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUF8T0cI1+NUauRBnuaVkaHYUZOlswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE1MzQzMFoYDzIxMjYxMDI4
MTUzNDMwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARJZglqf2+Hd4EPcqqmWBJsFmsgNIcjUGyIvbGSEhdP1BL6bLFk5Cf+
/QsO9PJIV1CqvZFJylyXoOvFqwiQSI0Po3UwczAdBgNVHQ4EFgQUtl5f0UdcmaBe
pJC8SMdx/+h9rcowHwYDVR0jBBgwFoAUtl5f0UdcmaBepJC8SMdx/+h9rcowDwYD
VR0TAQH/BAUwAwEB/zAgBgNVHREEGTAXgglsb2NhbGhvc3SHBH8AAAGHBAAAAAAw
CgYIKoZIzj0EAwIDSAAwRQIgfuRkdTmZDZqie4nEphuvLwM8U+dm7I8WTPQWSgc8
7bsCIQDVa6br1wnjSk6iZDqRpFDLdveZqq4CBB8w+FjJldTXvw==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg581lDSJTmdbRWLqs
sHQEpOcpSK+0iswWzjWMciLkHiChRANCAARJZglqf2+Hd4EPcqqmWBJsFmsgNIcj
UGyIvbGSEhdP1BL6bLFk5Cf+/QsO9PJIV1CqvZFJylyXoOvFqwiQSI0P
-----END PRIVATE KEY-----`,
};
