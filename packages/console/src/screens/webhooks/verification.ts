/** How a receiver in Node verifies what it gets; other languages have the same package. */
export const verification = `import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws if anybody else sent it, or it is older than 5 minutes.
const event = webhook.verify(bodyAsItCame, request.headers)`
