/** Mail on Node, over SMTP. */
export { type MailServer, readMailServer } from "./MailServer.ts"
export { layerMailTransport, type MailTransportOptions } from "./MailTransport.ts"
