/** The 404 page has a button for search: Starlight opens its search only by its own button and by a key. */
const opener = document.querySelector<HTMLElement>("button[data-open-modal]")
for (const button of document.querySelectorAll("button[data-search]")) {
  button.addEventListener("click", (event) => {
    // The window closes an open search at any click outside it.
    event.stopPropagation()
    opener?.click()
  })
}
