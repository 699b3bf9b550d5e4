/** HTTP answers that are only read up to a limit. */

/**
 * The same answer with a body that ends when `allows`, called with the bytes of each decompressed chunk, returns false. If
 * it throws, the reader of the body gets the error.
 */
export function withBoundedBody(response: Response, allows: (bytes: number) => boolean): Response {
  const { body, headers, status, statusText } = response;
  if (!body) return response;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) =>
      allows(chunk.byteLength) ? controller.enqueue(chunk) : controller.terminate(),
  });
  return new Response(body.pipeThrough(bounded), { headers, status, statusText });
}
