// curl-by-path: a curl that is started by its path gets to the curl in front of it (docs/adr/0046). It is preloaded (LD_PRELOAD) into the
// programs of a command and runs before each begins. Only where the program's file is called `curl` and CURLEW_CURL_FRONT names another
// does it do something: it starts that one in the program's place, with the same arguments, and CURLEW_CURL, the file that was meant.
// It needs no library, keeps nothing, and leaves no function behind. Its bytes stand in curl-by-path.ts: node scripts/preloaded.ts.

#define AT_EXECFN 31

#if defined(__x86_64__)
static void become(const char *file, char **argv, char **envp) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(59L), "D"(file), "S"(argv), "d"(envp) : "rcx", "r11", "memory");
}
#elif defined(__aarch64__)
static void become(const char *file, char **argv, char **envp) {
  register long number __asm__("x8") = 221;
  register long first __asm__("x0") = (long)file;
  register char **second __asm__("x1") = argv;
  register char **third __asm__("x2") = envp;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
}
#endif

/* What follows `start` in the text; null when it begins otherwise. */
static const char *after(const char *text, const char *start) {
  while (*start)
    if (*text++ != *start++) return 0;
  return text;
}

static int same(const char *one, const char *other) {
  const char *rest = after(one, other);
  return rest && !*rest;
}

static const char *last(const char *path) {
  const char *name = path;
  for (; *path; path++)
    if (*path == '/') name = path + 1;
  return name;
}

__attribute__((visibility("hidden"))) void begin(int argc, char **argv, char **envp) {
  static const char key[] = "CURLEW_CURL=";
  const char *front = 0, *file = 0;
  unsigned long count = 0, *aux;
  for (; envp[count]; count++) {
    const char *value = after(envp[count], "CURLEW_CURL_FRONT=");
    if (value) front = value;
  }
  if (!front || !*front) return;
  for (aux = (unsigned long *)(envp + count + 1); aux[0]; aux += 2)
    if (aux[0] == AT_EXECFN) file = (const char *)aux[1];
  if (!file || same(file, front) || !same(last(file), "curl")) return;
  /* A script stands behind its interpreter, and that one's option. */
  if (!same(last(argv[0]), "curl")) {
    if (argc > 1 && same(argv[1], file)) argv += 1;
    else if (argc > 2 && same(argv[2], file)) argv += 2;
  }

  char meant[sizeof key + 4096], *to = meant;
  if (last(file) - file > 4090) return;
  for (const char *from = key; *from; from++) *to++ = *from;
  for (const char *from = file; (*to++ = *from); from++) continue;
  char *env[count + 2];
  env[0] = meant;
  for (unsigned long at = 0; at <= count; at++) env[at + 1] = envp[at];
  become(front, argv, env);
}
