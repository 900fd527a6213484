/** The module of the console's pages; every page is whole without it. */
export const CONSOLE_SCRIPT = `'use strict'
const search = document.getElementById('search')
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input, select, textarea, [contenteditable]')) return
  event.preventDefault()
  search?.focus()
  search?.select()
})
`
