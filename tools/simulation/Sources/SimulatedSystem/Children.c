// A process for each run.

#include "SimulatedSystem.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/personality.h>
#include <unistd.h>

int simulation_fork(const char *output) {
  fflush(NULL);
  int child = fork();
  if (child != 0) return child;
  int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  return 0;
}

void simulation_keep_addresses(void) {
  int current = personality(0xffffffff);
  if (current != -1) personality((unsigned long)current | ADDR_NO_RANDOMIZE);
}

void simulation_exit(int status) {
  fflush(NULL);
  _exit(status);
}
