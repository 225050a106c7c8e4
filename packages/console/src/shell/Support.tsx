import { Icon } from "../kit/layout/Icon.tsx"
import { contactLink, instance } from "../state/instance.ts"

/** The link to the operator of the instance, if it has set a contact. */
export const Support = () => {
  const contact = instance.value?.supportContact
  if (contact === undefined) return null
  return (
    <a class="person" href={contactLink(contact)} rel="noreferrer">
      <Icon name="info" />
      <span>
        Get help
        <small>{contact.replace(/^https:\/\//, "")}</small>
      </span>
    </a>
  )
}
