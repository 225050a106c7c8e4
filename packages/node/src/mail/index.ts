/** Mail on Node, over SMTP. */
export { type MailServer, mailServerForm, readMailServer, readSender, type Sender, senderForm } from "./MailServer.ts"
export { layerMailTransport, type MailTransportOptions } from "./MailTransport.ts"
