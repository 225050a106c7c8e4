/** What browsers are told to refuse, beside `x-content-type-options`. Pages have policies of their own. */

/** An answer is data: whoever gets a browser to show it as a page has a page that can do nothing, and in no frame. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** For a year, browsers ask by HTTPS alone; of other hosts below this one it says nothing. */
export const strictTransport = "max-age=31536000"
