/** The page that is shown is in sight in the navigation beside it, however far down it stands there. */
const pane = document.querySelector(".sidebar-pane")
const link = pane?.querySelector("[aria-current='page']")
if (pane && link) {
  const [outer, inner] = [pane.getBoundingClientRect(), link.getBoundingClientRect()]
  const isHidden = inner.top < outer.top || inner.bottom > outer.bottom
  if (isHidden) pane.scrollTop += inner.top - outer.top - outer.height / 2
}
