/** Grants credits for payments that Stripe or Paystack reports, and takes them away for refunds. */
import { serveWebhook } from "./topUp.ts"

// Each checks its own settings, so only the one that is used is loaded.
const providers = { stripe: () => import("./stripe.ts"), paystack: () => import("./paystack.ts") }

const provider = process.argv[2] ?? ""
if (provider !== "stripe" && provider !== "paystack") throw new Error("expected: npm start -- stripe, or paystack")
const { read } = await providers[provider]()
serveWebhook(read)
