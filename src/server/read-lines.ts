/** Lines of a body as it arrives; the last may lack its end. Whoever stops reading ends the request. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      const lines = text.split('\n')
      text = lines.pop()!
      yield* lines
    }
    if (text !== '') yield text
  } finally {
    await reader.cancel()
  }
}
