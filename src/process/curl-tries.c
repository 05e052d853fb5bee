// curl-tries: how often a curl before 8.9 tried (docs/adr/0046). It is preloaded (LD_PRELOAD) into that curl alone, stands before four
// functions of its library, and appends to the file that CURLEW_CURL_TRIES names, for each handle by its address: `N` it is made, `T` a try
// begins, `E` it is done with. Each function does what it did. Its bytes stand in curl-tries.ts: node scripts/preloaded.ts.

typedef struct handle CURL;
typedef struct several CURLM;

extern void *dlsym(void *, const char *);
extern char *getenv(const char *);
extern int open(const char *, int, ...);
extern long write(int, const void *, unsigned long);
extern int close(int);

#define NEXT ((void *)-1L)
/* Of Linux: write only, make, append; O_CLOEXEC. */
#define APPEND (01 | 0100 | 02000 | 02000000)

static int within;

static void tell(char what, const void *handle) {
  char line[18];
  unsigned long at = (unsigned long)handle;
  const char *name = getenv("CURLEW_CURL_TRIES");
  int file;
  if (!name || (file = open(name, APPEND, 0600)) < 0) return;
  line[0] = what;
  for (int digit = 16; digit > 0; digit--, at >>= 4) line[digit] = "0123456789abcdef"[at & 15];
  line[17] = '\n';
  write(file, line, sizeof line);
  close(file);
}

CURL *curl_easy_init(void) {
  CURL *(*next)(void) = (CURL * (*)(void)) dlsym(NEXT, "curl_easy_init");
  CURL *handle = next();
  tell('N', handle);
  return handle;
}

/* The library itself adds the handle that it performs. */
int curl_easy_perform(CURL *handle) {
  int (*next)(CURL *) = (int (*)(CURL *))dlsym(NEXT, "curl_easy_perform");
  int result;
  tell('T', handle);
  within = 1;
  result = next(handle);
  within = 0;
  return result;
}

int curl_multi_add_handle(CURLM *several, CURL *handle) {
  int (*next)(CURLM *, CURL *) = (int (*)(CURLM *, CURL *))dlsym(NEXT, "curl_multi_add_handle");
  if (!within) tell('T', handle);
  return next(several, handle);
}

void curl_easy_cleanup(CURL *handle) {
  void (*next)(CURL *) = (void (*)(CURL *))dlsym(NEXT, "curl_easy_cleanup");
  tell('E', handle);
  next(handle);
}
