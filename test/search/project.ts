/** A small project with what a ranking has to tell apart: code, its test, its documents, a double, a long function. */
const longBody = Array.from({ length: 200 }, (_, index) => `    total = total + weigh(${index})`).join('\n');

export const project: Readonly<Record<string, string>> = {
  'shop/cache.py': `"""Keeps answers for a while."""

class ResponseCache:
    """Answers by request, until they are too old."""

    def store(self, request, response):
        """Keep the response of a request."""
        self.entries[request.key] = (self.clock(), response)

    def evict_expired(self):
        """Drop entries whose time to live is over."""
        for key, (stored_at, response) in list(self.entries.items()):
            if self.clock() - stored_at > self.ttl:
                del self.entries[key]
`,
  'shop/retry.py': `from shop.cache import ResponseCache

MAX_ATTEMPTS = 5

def call_with_backoff(operation):
    """Repeat an operation that fails, waiting longer each time."""
    for attempt in range(MAX_ATTEMPTS):
        try:
            return operation()
        except ConnectionError:
            sleep(2 ** attempt)

def evict_expired():
    raise NotImplementedError
`,
  'shop/weights.py': `def weigh_everything(total):\n${longBody}\n    return total\n`,
  'tests/test_cache.py': `from shop.cache import ResponseCache

def test_evict_expired_drops_entries_whose_time_to_live_is_over():
    cache = ResponseCache(ttl=1)
    cache.store(request, response)
    cache.evict_expired()
    assert cache.entries == {}
`,
  'docs/guide.md': `# Guide

## Expired entries

The cache drops entries whose time to live is over. Call \`evict_expired\` to evict expired entries at once.
`,
  'CHANGES.md': `# Changes

- The cache evicts expired entries whose time to live is over.
- Retry with backoff.
`,
};
