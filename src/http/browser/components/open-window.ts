/** Opens a window in the middle of the page's; null where the browser allows none. */
export function openWindow(address: URL): Window | null {
  const left = window.screenX + Math.max(0, (window.outerWidth - 520) / 2)
  return window.open(address, '_blank', `popup,width=520,height=720,left=${left}`)
}

/** Calls `gone` once the user has closed a window. Returns a function that stops waiting. */
export function whenClosed(opened: Window, gone: () => void): () => void {
  let waiting: number | undefined
  const poll = setInterval(() => {
    if (!opened.closed) return
    clearInterval(poll)
    // Its last message may still be on the way.
    waiting = setTimeout(gone, 500)
  }, 500)
  return () => {
    clearInterval(poll)
    clearTimeout(waiting)
  }
}
