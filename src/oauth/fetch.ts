/** The requests of a sign-in: each with an end, and no answer longer than such answers are. */

/** Bytes of an answer. */
const MOST = 1024 * 1024;

/** `fetch` with a deadline in milliseconds for each request and a bound for each answer. */
export function boundedFetch(deadline: number): typeof fetch {
  return async (input, init) => {
    const late = AbortSignal.timeout(deadline);
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    const response = await fetch(input, { ...init, signal });
    const { status, statusText, headers, body } = response;
    if (!body) return response;
    let length = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length > MOST) controller.error(new Error('its answer is too long'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body.pipeThrough(bounded), { status, statusText, headers });
  };
}
