import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Dialog } from "../kit/dialogs/Dialog.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { Icon } from "../kit/layout/Icon.tsx"
import { goTo, path } from "../router/address.ts"
import { OrganizationSearch } from "../screens/organizations/OrganizationSearch.tsx"
import { organization } from "../state/organization.ts"
import { isOperator } from "../state/permissions.ts"

/** Names the organization that is looked at; operators look at another one from here. */
export const OrganizationSwitch = () => {
  const isOpen = useSignal(false)
  const name = organization.value?.name ?? "…"
  const place = path.value
  // Whoever has gone somewhere, by the browser's own button as well, has left it.
  useEffect(() => {
    isOpen.value = false
  }, [place, isOpen])
  if (!isOperator()) {
    return (
      <p class="switch">
        <Icon name="organization" />
        <span class="name" title={name}>
          {name}
        </span>
      </p>
    )
  }
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button type="button" class="switch" onClick={() => (isOpen.value = true)}>
        <Icon name="organization" />
        <span class="name" title={name}>
          {name}
        </span>
        <Icon name="switch" />
        <span class="unseen">, look at another organization</span>
      </button>
      {isOpen.value && (
        <Dialog title="Look at another organization" onClose={close}>
          <OrganizationSearch onPick={(id) => goTo(`/organizations/${id}`)} />
          <div class="actions">
            <Button onClick={() => goTo("/organizations")}>All organizations</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
