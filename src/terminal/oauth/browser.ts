/** Opens an address in the browser of whoever sits here. Answers whether there was one to be started. */
export async function openBrowser(address: string): Promise<boolean> {
  const { default: open } = await import('open')
  const child = await open(address)
  return await new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
  })
}
