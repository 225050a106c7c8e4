import type { SignedIn } from "@postcode/gateway/accounts/sessions/startConsoleSession"
import { setSessionCookie } from "../../input/ManagerCredential.ts"

/** The answer that starts a console session. */
export const signedIn = ({ account, token }: SignedIn) => ({ data: { account }, cookie: setSessionCookie(token) })
