#include "engine/base/write_failure.h"

#include <cerrno>
#include <cstring>

namespace stagelane {

WriteFailure writeFailure(int errorNumber) {
  switch (errorNumber) {
    case ENOENT:
    case ENOTDIR: return {"there is no such folder", "make the folder, or choose another one"};
    case EISDIR: return {"a folder of this name is there", "choose another name"};
    case EACCES:
    case EPERM:
      return {"permission denied",
              "choose a folder that you may write to, or change its owner's "
              "permissions"};
    case EROFS: return {"the file system is read-only", "choose another folder"};
    case ENOSPC:
    case EDQUOT: return {"the disk is full", "free some space or choose another folder"};
    case EFBIG:
      return {"the file would be larger than is allowed",
              "lift the file-size limit (ulimit -f) or choose another disk"};
    case EPIPE:
      return {"its reader has ended", "let the reader go on to the end, or write to a file"};
    default: return {std::strerror(errorNumber), "check the path and the disk"};
  }
}

}  // namespace stagelane
