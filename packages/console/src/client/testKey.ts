/** Test keys, the only ones that the console sends: requests from here must cost nothing. */

/** Why a text is not sent as a key; undefined if it is a test key, or empty. */
export const testKeyFault = (text: string): string | undefined => {
  const key = text.trim()
  if (key === "" || /^svc_test_[0-9A-Za-z]{38}$/.test(key)) return undefined
  if (key.startsWith("svc_live_")) return "This is a live key, which this page does not send. Use a test key."
  if (key.startsWith("svc_pk_"))
    return "This is a publishable key, and its environment is unknown. Use a secret test key."
  return "Expected a test key: svc_test_ and 38 letters and digits."
}

/** The key to send; empty if the text is not a test key. */
export const testKeyIn = (text: string): string => (testKeyFault(text) === undefined ? text.trim() : "")
