/** The slow clients as a separate process. */
import { answerParent } from "../http/Child.ts"
import { keepSlowClients } from "./slowClients.ts"

answerParent(keepSlowClients)
