/** Security headers of answers. Documents set their own policies. */

/** Answers are data: if a browser shows one as a page, that page can load and run nothing, and cannot be framed. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Browsers use HTTPS only, for a year. Subdomains are not included. */
export const strictTransport = "max-age=31536000"
