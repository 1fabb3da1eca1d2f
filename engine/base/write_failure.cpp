#include "engine/base/write_failure.h"

#include <cerrno>
#include <cstring>

namespace stagelane {

WriteFailure writeFailure(int errorNumber) {
  switch (errorNumber) {
    case ENOENT:
    case ENOTDIR: return {"the folder does not exist", "create it, or choose another one"};
    case EISDIR: return {"a folder with this name exists", "choose another name"};
    case EACCES:
    case EPERM:
      return {"permission denied",
              "choose a folder that you may write to, or change its owner's "
              "permissions"};
    case ELOOP:
      return {"a symbolic link is in its place",
              "replace the link with a copy of what it links to"};
    case EROFS: return {"the file system is read-only", "choose another folder"};
    case ENOSPC:
    case EDQUOT: return {"the disk is full", "free some space or choose another folder"};
    case EFBIG:
      return {"the file would exceed the size limit",
              "raise the file-size limit (ulimit -f) or choose another disk"};
    case EPIPE:
      return {"the reader closed the pipe", "keep the reader running, or write to a file"};
    default: return {std::strerror(errorNumber), "check the path and the disk"};
  }
}

}  // namespace stagelane
