import type { Pages } from "../../hooks/usePages.ts"
import { Button } from "../forms/Button.tsx"

/** Buttons for the previous and next page; nothing if there is only one. */
export const Pager = ({ onNext, onPrevious, page }: Pick<Pages<unknown>, "onNext" | "onPrevious" | "page">) =>
  onNext === undefined && onPrevious === undefined ? null : (
    <nav class="pager" aria-label="Pages">
      <Button isDisabled={onPrevious === undefined} {...(onPrevious && { onClick: onPrevious })}>
        Newer
      </Button>
      <span aria-live="polite">Page {page}</span>
      <Button isDisabled={onNext === undefined} {...(onNext && { onClick: onNext })}>
        Older
      </Button>
    </nav>
  )
