/** Shows a problem beside a field of a box, or removes the one that is there. */
export function markRail(box: HTMLElement, name: string, text: string | undefined): void {
  const id = `rail-${name}-error`
  document.getElementById(id)?.remove()
  if (text === undefined) return
  const error = document.createElement('p')
  error.id = id
  error.className = 'error'
  error.setAttribute('role', 'alert')
  error.textContent = text
  const place = box.querySelector(`[data-rail-field="${name}"]`) ?? box.firstElementChild
  place?.before(error)
}
