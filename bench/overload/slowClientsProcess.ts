/** The slow clients in a process of their own. */
import { answerParent } from "../http/Child.ts"
import { keepSlowClients } from "./slowClients.ts"

answerParent(keepSlowClients)
